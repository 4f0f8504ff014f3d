//! Random numbers by counting: draw 7,311 of seed 5 is the same whoever computes it, in any order
//! and on any number of threads.

/// Purposes that must not share numbers, so that a test and a bootstrap of one seed are
/// independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Purpose {
    Bootstrap = 1,
    SignFlip = 2,
    EqualRates = 3,
    TrueScores = 4,
}

/// Philox4x32-10: ten rounds of a keyed bijection on 128 bits (J. Salmon et al., "Parallel Random
/// Numbers: As Easy as 1, 2, 3", SC 2011). The block of a counter needs no other block.
#[must_use]
pub fn philox(key: u64, mut counter: [u32; 4]) -> [u32; 4] {
    let mut keys = [key as u32, (key >> 32) as u32];
    for round in 0..10 {
        if round > 0 {
            // Weyl sequence: golden ratio and sqrt(3) - 1.
            keys = [
                keys[0].wrapping_add(0x9E37_79B9),
                keys[1].wrapping_add(0xBB67_AE85),
            ];
        }
        let a = 0xD251_1F53_u64 * u64::from(counter[0]);
        let b = 0xCD9E_8D57_u64 * u64::from(counter[2]);
        counter = [
            (b >> 32) as u32 ^ counter[1] ^ keys[0],
            b as u32,
            (a >> 32) as u32 ^ counter[3] ^ keys[1],
            a as u32,
        ];
    }
    counter
}

/// The numbers of one draw, in order.
#[derive(Debug, Clone)]
pub struct Stream {
    seed: u64,
    purpose: u32,
    draw: u64,
    block: u32,
    buffer: [u32; 4],
    used: usize,
}

impl Stream {
    /// The stream of draw number `draw` under `seed`, for a caller's own use (simulations).
    #[must_use]
    pub fn new(seed: u64, draw: u64) -> Self {
        Self::with(seed, 0, draw)
    }

    pub(crate) fn of(purpose: Purpose, seed: u64, draw: u64) -> Self {
        Self::with(seed, purpose as u32, draw)
    }

    fn with(seed: u64, purpose: u32, draw: u64) -> Self {
        Self {
            seed,
            purpose,
            draw,
            block: 0,
            buffer: [0; 4],
            used: 4,
        }
    }

    /// 32 random bits. A draw holds 2^34 of them before they repeat.
    pub fn bits(&mut self) -> u32 {
        if self.used == 4 {
            let counter = [
                self.block,
                self.purpose,
                self.draw as u32,
                (self.draw >> 32) as u32,
            ];
            self.buffer = philox(self.seed, counter);
            self.block = self.block.wrapping_add(1);
            self.used = 0;
        }
        self.used += 1;
        self.buffer[self.used - 1]
    }

    /// A uniform integer below `bound`, which must be positive; without bias (D. Lemire, "Fast
    /// Random Integer Generation in an Interval", ACM TOMACS 2019).
    pub fn below(&mut self, bound: u32) -> u32 {
        let mut product = u64::from(self.bits()) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound.max(1);
            while (product as u32) < threshold {
                product = u64::from(self.bits()) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A uniform number in [0, 1) with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        let high = u64::from(self.bits()) >> 5;
        let low = u64::from(self.bits()) >> 6;
        ((high << 26) | low) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kat_vectors` of Random123, philox4x32 10.
    #[test]
    fn known_answers() {
        assert_eq!(
            philox(0, [0; 4]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            philox(u64::MAX, [u32::MAX; 4]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox(
                0x299f_31d0_a409_3822,
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn streams_differ_by_seed_purpose_and_draw() {
        let first = |mut stream: Stream| [stream.bits(), stream.bits(), stream.bits()];
        let all = [
            first(Stream::new(1, 0)),
            first(Stream::new(1, 1)),
            first(Stream::new(2, 0)),
            first(Stream::new(1, 1 << 32)),
            first(Stream::of(Purpose::Bootstrap, 1, 0)),
            first(Stream::of(Purpose::SignFlip, 1, 0)),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    /// Chi-square of 60,000 rolls of a die: 5 degrees of freedom, 99.9 % quantile 20.5.
    #[test]
    fn bounded_numbers_are_even() {
        let mut stream = Stream::new(7, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.below(6) as usize] += 1;
        }
        let chi: f64 = counts
            .iter()
            .map(|&c| (f64::from(c) - 1e4).powi(2) / 1e4)
            .sum();
        assert!(chi < 20.5, "{counts:?}");
        assert_eq!(stream.below(1), 0);
        let mean = (0..10_000).map(|_| stream.unit()).sum::<f64>() / 1e4;
        assert!((mean - 0.5).abs() < 0.01, "{mean}");
    }
}
