//! The binomial distribution with probability one half.

/// For X binomial with `n` trials and probability 1/2: (P(X <= k), P(X = k)), both in 0..=1.
/// Terms from `k` downwards by their ratio, so that small tails keep their digits.
#[must_use]
pub fn half_binomial(k: u64, n: u64) -> (f64, f64) {
    if k >= n {
        return (1.0, if k == n { (-(n as f64)).exp2() } else { 0.0 });
    }
    // The shorter side is summed; the other follows from the symmetry.
    if 2 * k >= n {
        let (rest, _) = half_binomial(n - k - 1, n);
        return (1.0 - rest, mass(n - k, n));
    }
    let top = mass(k, n);
    let mut term = 1.0;
    let mut sum = 0.0;
    for i in (0..=k).rev() {
        sum += term;
        term *= i as f64 / (n - i + 1) as f64;
        if term < 1e-18 * sum {
            break;
        }
    }
    (top * sum, top)
}

/// P(X = k): the product of (n - k + i) / i over i, each with its share of the factor 2^-n, so
/// that nothing overflows.
fn mass(k: u64, n: u64) -> f64 {
    let k = k.min(n - k);
    let mut product = 1.0_f64;
    let mut halvings = n;
    for i in 1..=k {
        product *= (n - k + i) as f64 / i as f64;
        while product > 1.0 && halvings > 0 {
            product *= 0.5;
            halvings -= 1;
        }
    }
    product * (-(halvings as f64)).exp2()
}
