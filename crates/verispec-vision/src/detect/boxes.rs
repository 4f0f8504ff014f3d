//! Boxes of the single-shot detector: its anchors, its code of offsets, and the suppression of
//! boxes that say the same.
//!
//! Anchors and code are those of the published configuration `ssd_mobilenet_v2_coco` (Liu et al.,
//! SSD, 2016; TensorFlow's `ssd_anchor_generator` and `faster_rcnn_box_coder`).

/// Sides of the six maps.
const MAPS: [usize; 6] = [19, 10, 5, 3, 2, 1];
/// Anchors of all maps: three a place in the first, six in the others.
pub(crate) const ANCHORS: usize = 1917;

/// Left, top, right, bottom.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Rect {
    pub(crate) left: f32,
    pub(crate) top: f32,
    pub(crate) right: f32,
    pub(crate) bottom: f32,
}

impl Rect {
    pub(crate) fn area(&self) -> f32 {
        (self.right - self.left).max(0.0) * (self.bottom - self.top).max(0.0)
    }

    fn shared(&self, other: &Self) -> f32 {
        let part = Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        part.area()
    }

    /// Shared area over the area of both, 0..=1.
    pub(crate) fn overlap(&self, other: &Self) -> f32 {
        let shared = self.shared(other);
        shared / (self.area() + other.area() - shared).max(f32::EPSILON)
    }

    /// Shared area over that of the smaller, 0..=1.
    pub(crate) fn cover(&self, other: &Self) -> f32 {
        self.shared(other) / self.area().min(other.area()).max(f32::EPSILON)
    }
}

/// A place where the network looks: middle, height and width, in shares of the input.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Anchor {
    y: f32,
    x: f32,
    height: f32,
    width: f32,
}

impl Anchor {
    /// The box that the four offsets `(y, x, height, width)` make of it, in shares of the input.
    pub(crate) fn decode(&self, code: [f32; 4]) -> Rect {
        let y = code[0] / 10.0 * self.height + self.y;
        let x = code[1] / 10.0 * self.width + self.x;
        let height = (code[2] / 5.0).exp() * self.height / 2.0;
        let width = (code[3] / 5.0).exp() * self.width / 2.0;
        Rect {
            left: x - width,
            top: y - height,
            right: x + width,
            bottom: y + height,
        }
    }
}

/// All anchors in the order of the network's rows.
pub(crate) fn anchors() -> Vec<Anchor> {
    // Six sizes from 0.2 to 0.95, and one for the mean after the last.
    let size = |k: usize| if k < 6 { 0.2 + 0.15 * k as f32 } else { 1.0 };
    let mut all = Vec::with_capacity(ANCHORS);
    for (k, &side) in MAPS.iter().enumerate() {
        let forms: Vec<(f32, f32)> = if k == 0 {
            vec![(0.1, 1.0), (size(0), 2.0), (size(0), 0.5)]
        } else {
            let mean = (size(k) * size(k + 1)).sqrt();
            let ratios = [1.0, 2.0, 0.5, 3.0, 0.3333];
            let own = ratios.map(|ratio| (size(k), ratio));
            own.into_iter().chain([(mean, 1.0)]).collect()
        };
        let middle = |i: usize| (i as f32 + 0.5) / side as f32;
        for place in 0..side * side {
            let at = (middle(place / side), middle(place % side));
            all.extend(forms.iter().map(|&(size, ratio)| Anchor {
                y: at.0,
                x: at.1,
                height: size / ratio.sqrt(),
                width: size * ratio.sqrt(),
            }));
        }
    }
    all
}

/// Keeps of boxes of one class, the best first, those that overlap no better one by `most` or
/// more.
pub(crate) fn suppress(mut found: Vec<(f32, Rect)>, most: f32) -> Vec<(f32, Rect)> {
    found.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut kept: Vec<(f32, Rect)> = vec![];
    for one in found {
        if kept.iter().all(|k| k.1.overlap(&one.1) < most) {
            kept.push(one);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rect(left: f32, top: f32, right: f32, bottom: f32) -> Rect {
        Rect {
            left,
            top,
            right,
            bottom,
        }
    }

    #[test]
    fn anchors_are_as_many_as_the_network_has_rows() {
        let all = anchors();
        assert_eq!(all.len(), ANCHORS);
        let near = |a: Anchor, b: [f32; 4]| {
            let a = [a.y, a.x, a.height, a.width];
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        let half = 0.5f32.sqrt();
        assert!(near(all[0], [0.5 / 19.0, 0.5 / 19.0, 0.1, 0.1]));
        assert!(near(
            all[1],
            [0.5 / 19.0, 0.5 / 19.0, 0.2 * half, 0.2 / half]
        ));
        // The last place has the largest size, and the mean of it and 1.
        assert!(near(all[ANCHORS - 6], [0.5, 0.5, 0.95, 0.95]));
        let mean = 0.95f32.sqrt();
        assert!(near(all[ANCHORS - 1], [0.5, 0.5, mean, mean]));
    }

    #[test]
    fn no_offset_gives_the_anchor() {
        let anchor = Anchor {
            y: 0.5,
            x: 0.25,
            height: 0.2,
            width: 0.1,
        };
        let near = |a: Rect, b: Rect| {
            let [a, b] = [a, b].map(|r| [r.left, r.top, r.right, r.bottom]);
            a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        assert!(near(anchor.decode([0.0; 4]), rect(0.2, 0.4, 0.3, 0.6)));
        // A shift by the whole height and width, and twice the size.
        let double = 5.0 * 2f32.ln();
        let moved = anchor.decode([10.0, 10.0, double, double]);
        assert!(near(moved, rect(0.25, 0.5, 0.45, 0.9)));
    }

    #[test]
    fn boxes_that_say_the_same_are_one() {
        let a = rect(0.0, 0.0, 10.0, 10.0);
        let same = rect(0.0, 0.0, 10.0, 8.0);
        let other = rect(0.0, 5.0, 10.0, 15.0);
        let kept = suppress(vec![(0.6, same), (0.9, a), (0.7, other)], 0.6);
        assert_eq!(kept, [(0.9, a), (0.7, other)]);
        assert!((a.overlap(&other) - 1.0 / 3.0).abs() < 1e-6);
        assert!((a.cover(&same) - 1.0).abs() < 1e-6);
        assert!(a.overlap(&rect(20.0, 0.0, 30.0, 10.0)).abs() < 1e-6);
    }
}
