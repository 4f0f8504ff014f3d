//! Naming colours in OKLCH, with a border zone between names in which nothing is claimed.
//!
//! OKLab is Björn Ottosson's, <https://bottosson.github.io/posts/oklab/>. The zones were set on
//! the CSS colour keywords and a common interface palette.

use crate::tri::Tri;

/// Colour in OKLab: lightness 0..=1, then the two opponent axes.
pub(crate) type Lab = [f32; 3];

/// Converts one 8-bit sRGB colour to OKLab.
fn oklab(rgb: [u8; 3]) -> Lab {
    let [r, g, b] = rgb.map(|v| linear(f32::from(v) / 255.0));
    let l = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let m = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let s = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    [
        0.210_454_26 * l + 0.793_617_8 * m - 0.004_072_047 * s,
        1.977_998_5 * l - 2.428_592_2 * m + 0.450_593_7 * s,
        0.025_904_037 * l + 0.782_771_77 * m - 0.808_675_77 * s,
    ]
}

fn linear(v: f32) -> f32 {
    if v <= 0.040_45 {
        v / 12.92
    } else {
        ((v + 0.055) / 1.055).powf(2.4)
    }
}

/// Euclidean distance in OKLab; 0.02 is about one just noticeable difference.
fn distance(a: Lab, b: Lab) -> f32 {
    (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
}

/// A colour in both spaces.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tone {
    /// sRGB, 0..=255.
    pub(crate) rgb: [f32; 3],
    /// OKLab.
    pub(crate) lab: Lab,
}

impl Tone {
    /// Of an 8-bit sRGB colour.
    pub(crate) fn of(rgb: [u8; 3]) -> Self {
        Self {
            rgb: rgb.map(f32::from),
            lab: oklab(rgb),
        }
    }

    /// Difference in colour: the distance in OKLab, but no more than 1/400 of that in sRGB, since
    /// OKLab stretches differences near black that nobody sees. 0.02 is just noticeable.
    pub(crate) fn distance(self, other: Self) -> f32 {
        let square = |i: usize| (self.rgb[i] - other.rgb[i]).powi(2);
        distance(self.lab, other.lab).min((square(0) + square(1) + square(2)).sqrt() / 400.0)
    }
}

/// The mean of tones, kept while tones are added.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MeanTone {
    sum: [f64; 6],
    n: f64,
}

impl MeanTone {
    /// Adds a tone.
    pub(crate) fn add(&mut self, tone: Tone) {
        for i in 0..3 {
            self.sum[i] += f64::from(tone.rgb[i]);
            self.sum[i + 3] += f64::from(tone.lab[i]);
        }
        self.n += 1.0;
    }

    /// The mean so far; black if nothing was added.
    pub(crate) fn mean(&self) -> Tone {
        let at = |i: usize| (self.sum[i] / self.n.max(1.0)) as f32;
        Tone {
            rgb: [at(0), at(1), at(2)],
            lab: [at(3), at(4), at(5)],
        }
    }
}

/// A colour as the names see it.
#[derive(Debug, Clone, Copy)]
struct Shade {
    /// Lightness, 0..=1.
    l: f32,
    /// Chroma, 0..0.33 in sRGB.
    c: f32,
    /// Hue in degrees, 0..360; red is 29, yellow 110, green 142, blue 264.
    h: f32,
    /// HSV saturation, 0..=1.
    s: f32,
}

impl Shade {
    fn of(rgb: [u8; 3]) -> Self {
        let [l, a, b] = oklab(rgb);
        let (max, min) = (rgb.iter().max().copied(), rgb.iter().min().copied());
        let (max, min) = (f32::from(max.unwrap_or(0)), f32::from(min.unwrap_or(0)));
        let h = b.atan2(a).to_degrees().rem_euclid(360.0);
        Self {
            l,
            c: a.hypot(b),
            h,
            s: if max > 0.0 { (max - min) / max } else { 0.0 },
        }
    }

    /// Whether the hue lies in `lo..=hi`; a range may pass 360 by having `lo > hi`.
    fn hue(self, lo: f32, hi: f32) -> bool {
        if lo <= hi {
            (lo..=hi).contains(&self.h)
        } else {
            self.h >= lo || self.h <= hi
        }
    }
}

/// A colour name that questions may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Colour {
    Red,
    Orange,
    Yellow,
    Green,
    Teal,
    Turquoise,
    Cyan,
    Blue,
    Purple,
    Magenta,
    Pink,
    Brown,
    Black,
    Gray,
    White,
}

impl Colour {
    /// All names, the commonest first: the order in which a colour is described.
    pub(crate) const ALL: [Self; 15] = [
        Self::Red,
        Self::Green,
        Self::Blue,
        Self::Yellow,
        Self::Black,
        Self::White,
        Self::Gray,
        Self::Orange,
        Self::Purple,
        Self::Brown,
        Self::Pink,
        Self::Teal,
        Self::Cyan,
        Self::Magenta,
        Self::Turquoise,
    ];

    /// The name of a word, for instance `grey`.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        Some(match word {
            "red" => Self::Red,
            "orange" => Self::Orange,
            "yellow" => Self::Yellow,
            "green" => Self::Green,
            "teal" => Self::Teal,
            "turquoise" => Self::Turquoise,
            "cyan" => Self::Cyan,
            "blue" => Self::Blue,
            "purple" | "violet" => Self::Purple,
            "magenta" => Self::Magenta,
            "pink" => Self::Pink,
            "brown" => Self::Brown,
            "black" => Self::Black,
            "gray" | "grey" => Self::Gray,
            "white" => Self::White,
            _ => return None,
        })
    }

    /// The English name.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Orange => "orange",
            Self::Yellow => "yellow",
            Self::Green => "green",
            Self::Teal => "teal",
            Self::Turquoise => "turquoise",
            Self::Cyan => "cyan",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Magenta => "magenta",
            Self::Pink => "pink",
            Self::Brown => "brown",
            Self::Black => "black",
            Self::Gray => "gray",
            Self::White => "white",
        }
    }

    /// Whether people would call `rgb` by this name.
    pub(crate) fn names(self, rgb: [u8; 3]) -> Tri {
        let x = Shade::of(rgb);
        match self {
            Self::Red | Self::Orange | Self::Yellow | Self::Brown | Self::Pink => self.warm(x),
            Self::Green | Self::Teal | Self::Turquoise | Self::Cyan => self.green_to_cyan(x),
            Self::Blue | Self::Purple | Self::Magenta => self.blue_to_magenta(x),
            Self::Black | Self::Gray | Self::White => self.achromatic(x),
        }
    }

    fn warm(self, x: Shade) -> Tri {
        match self {
            Self::Red => Tri::of(
                x.hue(16.0, 34.0) && x.c >= 0.175 && (0.42..=0.72).contains(&x.l),
                x.hue(5.0, 42.0) && x.c >= 0.14 && (x.s >= 0.78 || x.c >= 0.17),
            ),
            Self::Orange => Tri::of(
                x.hue(50.0, 78.0) && x.c >= 0.13 && x.l >= 0.66,
                x.hue(36.0, 90.0) && x.c >= 0.10 && x.l >= 0.58,
            ),
            Self::Yellow => Tri::of(
                x.hue(92.0, 116.0) && x.c >= 0.13 && x.l >= 0.80,
                x.hue(82.0, 122.0) && x.c >= 0.08 && x.l >= 0.70,
            ),
            Self::Brown => Tri::of(
                x.hue(20.0, 70.0)
                    && (0.25..=0.56).contains(&x.l)
                    && (0.045..=0.163).contains(&x.c)
                    && x.s < 0.92,
                x.hue(15.0, 85.0) && (0.2..=0.7).contains(&x.l) && (0.03..0.178).contains(&x.c),
            ),
            _ => {
                let vivid_red = x.hue(15.0, 40.0) && x.c > 0.17;
                let strong = x.hue(345.0, 12.0) && x.l >= 0.62 && x.c >= 0.19;
                let soft = x.hue(335.0, 20.0) && x.l >= 0.68 && x.c >= 0.05;
                Tri::of(
                    (strong || soft) && x.c <= 0.27 && !vivid_red,
                    x.hue(320.0, 35.0) && x.l >= 0.58 && (0.04..=0.28).contains(&x.c) && !vivid_red,
                )
            }
        }
    }

    fn green_to_cyan(self, x: Shade) -> Tri {
        match self {
            Self::Green => Tri::of(
                x.hue(125.0, 165.0) && x.c >= 0.08 && (0.3..=0.95).contains(&x.l),
                x.hue(108.0, 182.0) && x.c >= 0.05 && (x.h >= 116.0 || x.l < 0.75),
            ),
            Self::Teal => Tri::of(
                x.hue(176.0, 210.0) && x.c >= 0.05 && (0.35..=0.66).contains(&x.l),
                x.hue(165.0, 220.0) && x.c >= 0.04 && (0.3..=0.75).contains(&x.l),
            ),
            Self::Turquoise => Tri::of(
                x.hue(176.0, 192.0) && x.c >= 0.08 && (0.65..=0.92).contains(&x.l),
                x.hue(165.0, 205.0) && x.c >= 0.06 && x.l >= 0.6,
            ),
            _ => Tri::of(
                x.hue(190.0, 215.0) && x.c >= 0.09 && x.l >= 0.72,
                x.hue(170.0, 228.0) && x.c >= 0.05 && x.l >= 0.6,
            ),
        }
    }

    fn blue_to_magenta(self, x: Shade) -> Tri {
        match self {
            Self::Blue => Tri::of(
                x.hue(240.0, 284.0) && x.c >= 0.08 && x.l <= 0.75,
                x.hue(215.0, 296.0) && x.c >= 0.04,
            ),
            Self::Purple => Tri::of(
                x.c >= 0.08
                    && ((x.hue(293.0, 325.0) && x.l < 0.75) || (x.hue(293.0, 335.0) && x.l < 0.58)),
                x.hue(285.0, 345.0) && x.c >= 0.05 && x.l < 0.85,
            ),
            _ => Tri::of(
                x.hue(318.0, 345.0) && x.c >= 0.22 && x.l >= 0.55,
                x.hue(310.0, 360.0) && x.c >= 0.15 && x.l >= 0.5,
            ),
        }
    }

    fn achromatic(self, x: Shade) -> Tri {
        match self {
            Self::Black => Tri::of(x.l < 0.28 && x.c < 0.04, x.l < 0.36 && x.c < 0.08),
            Self::White => Tri::of(x.l > 0.95 && x.c < 0.02, x.l > 0.90 && x.c < 0.06),
            _ => Tri::of(
                (0.40..0.90).contains(&x.l) && x.c < 0.02,
                (0.28..0.95).contains(&x.l) && x.c < 0.04,
            ),
        }
    }
}

/// A colour in words: its name, two names joined by `or` in a border zone, else the hex code.
pub(crate) fn describe(rgb: [u8; 3]) -> String {
    let named = |t: Tri| Colour::ALL.into_iter().filter(move |c| c.names(rgb) == t);
    if let Some(colour) = named(Tri::Yes).next() {
        return colour.word().to_owned();
    }
    let words: Vec<&str> = named(Tri::Maybe).map(Colour::word).take(2).collect();
    if words.is_empty() {
        format!("#{:02x}{:02x}{:02x}", rgb[0], rgb[1], rgb[2])
    } else {
        words.join(" or ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_colours_have_one_sure_name() {
        let cases = [
            ([255, 0, 0], Colour::Red),
            ([229, 57, 53], Colour::Red),
            ([220, 20, 60], Colour::Red),
            ([255, 165, 0], Colour::Orange),
            ([251, 140, 0], Colour::Orange),
            ([255, 255, 0], Colour::Yellow),
            ([253, 216, 53], Colour::Yellow),
            ([0, 255, 0], Colour::Green),
            ([0, 128, 0], Colour::Green),
            ([46, 139, 87], Colour::Green),
            ([0, 128, 128], Colour::Teal),
            ([0, 255, 255], Colour::Cyan),
            ([0, 0, 255], Colour::Blue),
            ([30, 60, 200], Colour::Blue),
            ([0, 0, 128], Colour::Blue),
            ([30, 136, 229], Colour::Blue),
            ([128, 0, 128], Colour::Purple),
            ([138, 43, 226], Colour::Purple),
            ([142, 36, 170], Colour::Purple),
            ([255, 0, 255], Colour::Magenta),
            ([255, 192, 203], Colour::Pink),
            ([255, 105, 180], Colour::Pink),
            ([165, 42, 42], Colour::Brown),
            ([139, 69, 19], Colour::Brown),
            ([0, 0, 0], Colour::Black),
            ([128, 128, 128], Colour::Gray),
            ([192, 192, 192], Colour::Gray),
            ([255, 255, 255], Colour::White),
        ];
        for (rgb, want) in cases {
            let sure: Vec<_> = Colour::ALL
                .into_iter()
                .filter(|c| c.names(rgb) == Tri::Yes)
                .collect();
            assert_eq!(sure, [want], "{rgb:?}");
        }
    }

    #[test]
    fn borders_between_names_are_left_open() {
        for (rgb, colour) in [
            ([255, 69, 0], Colour::Red),
            ([255, 69, 0], Colour::Orange),
            ([139, 0, 0], Colour::Red),
            ([64, 224, 208], Colour::Cyan),
            ([128, 128, 0], Colour::Green),
            ([255, 253, 208], Colour::White),
            ([112, 128, 144], Colour::Gray),
        ] {
            let got = colour.names(rgb);
            assert!(
                got != Tri::No || colour == Colour::Orange,
                "{rgb:?} {colour:?} {got:?}"
            );
            assert_ne!(got, Tri::Yes, "{rgb:?} {colour:?}");
        }
    }

    #[test]
    fn every_colour_has_a_description() {
        for r in (0..=255).step_by(15) {
            for g in (0..=255).step_by(15) {
                for b in (0..=255).step_by(15) {
                    assert!(!describe([r, g, b]).is_empty());
                }
            }
        }
    }
}
