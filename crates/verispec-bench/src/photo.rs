//! Pictures drawn by own code, and PNG files of them that all differ by a text chunk.

use std::f32::consts::TAU;

use anyhow::Context as _;

/// Side of a picture in pixels, as most image models give.
pub(crate) const SIDE: usize = 1024;

/// What a picture is like. Kinds and shares of detail follow the measurements of the reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Soft shapes of many sizes with a little sensor noise: about 1.8 MB as PNG.
    Photo,
    /// Nothing but noise: the worst case.
    Noise,
    /// Plain rectangles: charts, screens, drawings.
    Flat,
}

impl Kind {
    pub(crate) const ALL: [Self; 3] = [Self::Photo, Self::Noise, Self::Flat];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Photo => "photo",
            Self::Noise => "noise",
            Self::Flat => "flat",
        }
    }
}

/// A picture as PNG.
pub(crate) fn draw(kind: Kind, seed: u64) -> anyhow::Result<Vec<u8>> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bf0_3635);
    let pixels = match kind {
        Kind::Photo => photo(&mut random),
        Kind::Noise => (0..SIDE * SIDE * 3).map(|_| random.byte()).collect(),
        Kind::Flat => flat(&mut random),
    };
    png_of(&pixels, SIDE)
}

/// An 8x8 picture: what is left of a run when images cost nothing.
pub(crate) fn tiny() -> anyhow::Result<Vec<u8>> {
    png_of(&[90; 8 * 8 * 3], 8)
}

#[allow(
    clippy::cast_possible_truncation,
    reason = "sides of 1024 and 8 pixels"
)]
fn png_of(pixels: &[u8], side: usize) -> anyhow::Result<Vec<u8>> {
    let mut out = vec![];
    let mut encoder = png::Encoder::new(&mut out, side as u32, side as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(out)
}

/// The same picture as another file: with a text chunk after the header.
pub(crate) fn with_text(file: &[u8], text: &str) -> anyhow::Result<Vec<u8>> {
    /// Signature, and the header chunk with length, name and check sum.
    const HEAD: usize = 8 + 4 + 4 + 13 + 4;
    let mut data = b"tEXtComment\0".to_vec();
    data.extend_from_slice(text.as_bytes());
    let length = u32::try_from(data.len() - 4).context("text too long")?;
    let (head, rest) = file.split_at_checked(HEAD).context("no PNG")?;
    let mut out = head.to_vec();
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&data);
    out.extend_from_slice(&crc(&data).to_be_bytes());
    out.extend_from_slice(rest);
    Ok(out)
}

/// CRC-32 of the PNG specification, annex D, bit by bit: chunks of text are short.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| {
            if c & 1 == 1 {
                0xedb8_8320 ^ (c >> 1)
            } else {
                c >> 1
            }
        })
    })
}

/// Octaves of smooth noise around middle gray, the coarse ones stronger, and fine noise of
/// standard deviation 4.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to a byte"
)]
fn photo(random: &mut Random) -> Vec<u8> {
    let mut sum = vec![128.0_f32; SIDE * SIDE * 3];
    for cells in [4_u16, 8, 16, 32, 64, 128] {
        let strength = 40.0 * 4.0 / f32::from(cells);
        let n = usize::from(cells) + 1;
        let grid: Vec<f32> = (0..n * n * 3).map(|_| random.normal() * strength).collect();
        add_smooth(&mut sum, &grid, n);
    }
    let byte = |v: f32| v.clamp(0.0, 255.0) as u8;
    sum.into_iter()
        .map(|v| byte(v + 4.0 * random.normal()))
        .collect()
}

/// Adds a coarse grid of `n` x `n` colours, smoothly interpolated.
#[allow(clippy::cast_precision_loss, reason = "sides are far below 2^23")]
fn add_smooth(sum: &mut [f32], grid: &[f32], n: usize) {
    let step = SIDE / (n - 1);
    let ease = |i: usize| {
        let t = (i % step) as f32 / step as f32;
        t * t * (3.0 - 2.0 * t)
    };
    for y in 0..SIDE {
        let (gy, ty) = (y / step, ease(y));
        for x in 0..SIDE {
            let (gx, tx) = (x / step, ease(x));
            for c in 0..3 {
                let at = |dx: usize, dy: usize| grid[((gy + dy) * n + gx + dx) * 3 + c];
                let top = at(0, 0) + (at(1, 0) - at(0, 0)) * tx;
                let bottom = at(0, 1) + (at(1, 1) - at(0, 1)) * tx;
                sum[(y * SIDE + x) * 3 + c] += top + (bottom - top) * ty;
            }
        }
    }
}

fn flat(random: &mut Random) -> Vec<u8> {
    let mut pixels = vec![255; SIDE * SIDE * 3];
    for _ in 0..60 {
        let (x, y) = (random.below(SIDE - 60), random.below(SIDE - 60));
        let (w, h) = (20 + random.below(280), 20 + random.below(280));
        let colour = [random.byte(), random.byte(), random.byte()];
        for row in y..(y + h).min(SIDE) {
            for column in x..(x + w).min(SIDE) {
                let at = (row * SIDE + column) * 3;
                pixels[at..at + 3].copy_from_slice(&colour);
            }
        }
    }
    pixels
}

/// SplitMix64: the same pictures everywhere.
struct Random(u64);

impl Random {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    const fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % n as u64).unwrap_or(0)
    }

    /// Uniform in (0, 1].
    fn unit(&mut self) -> f32 {
        let bits = u16::try_from(self.next() >> 48).unwrap_or(0);
        (f32::from(bits) + 1.0) / 65_536.0
    }

    /// Standard normal, by Box and Muller.
    fn normal(&mut self) -> f32 {
        let radius = (-2.0 * self.unit().ln()).sqrt();
        radius * (TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_chunk_changes_the_file_and_not_the_picture() {
        let plain = tiny().unwrap();
        let (a, b) = (
            with_text(&plain, "a").unwrap(),
            with_text(&plain, "b").unwrap(),
        );
        assert_ne!(a, b);
        for file in [a, b] {
            let decoder = png::Decoder::new(std::io::Cursor::new(file));
            let mut reader = decoder.read_info().unwrap();
            let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
            reader.next_frame(&mut pixels).unwrap();
            assert_eq!(pixels, vec![90; 8 * 8 * 3]);
            assert_eq!(reader.info().uncompressed_latin1_text.len(), 1);
        }
    }
}
