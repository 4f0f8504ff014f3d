//! The two views of an object.

use serde::{Deserialize, Serialize};

use crate::scene::Bbox;

/// An object longer than this many times its width has no useful view.
pub const MAX_ASPECT: f64 = 150.0;

/// The whole image with everything but the object blurred: for scene and scale.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ContextView {
    /// Radius of the Gaussian blur, pixels.
    pub blur: f64,
    /// Side of the square maximum filter that widens the mask, pixels.
    pub dilation: u32,
    /// Radius over which the mask fades, pixels.
    pub feather: f64,
    /// Width of the red box, pixels.
    pub outline: u32,
}

impl Default for ContextView {
    fn default() -> Self {
        Self {
            blur: 5.0,
            dilation: 21,
            feather: 3.0,
            outline: 3,
        }
    }
}

/// The object alone on grey, cropped and enlarged: the source of truth.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct DetailView {
    /// Grey level of what is not the object, each channel.
    pub background: u8,
    /// Radius over which the mask fades, pixels.
    pub feather: f64,
    /// Width of the red box, pixels.
    pub outline: u32,
    /// Margin on each side, as a share of the object's side.
    pub margin: f64,
    /// Least length of the shorter side after enlarging, pixels.
    pub short_side: u32,
    /// Greatest length of the longer side after enlarging, pixels.
    pub long_side: u32,
}

impl Default for DetailView {
    fn default() -> Self {
        Self {
            background: 127,
            feather: 1.0,
            outline: 2,
            margin: 0.2,
            short_side: 224,
            long_side: 1024,
        }
    }
}

/// What to cut out and how large to make it, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct DetailCrop {
    /// Left edge, inclusive.
    pub left: u32,
    /// Top edge, inclusive.
    pub top: u32,
    /// Width of the part.
    pub width: u32,
    /// Height of the part.
    pub height: u32,
    /// Width after enlarging.
    pub to_width: u32,
    /// Height after enlarging.
    pub to_height: u32,
}

/// Why an object has no view. Its attributes are then unknown, not absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The box lies outside the image, or has no area.
    #[error("the box holds no pixel of the image")]
    Outside,
    /// The part would be too narrow to see anything.
    #[error("the box is more than {MAX_ASPECT} times as long as it is wide")]
    Narrow,
}

impl DetailView {
    /// The crop of a box in an image: the box and its margin, within the image; enlarged until the
    /// shorter side has `short_side` or the longer one has `long_side`, never made smaller.
    ///
    /// # Errors
    /// The box holds no pixel of the image, or is too narrow.
    pub fn crop(&self, bbox: Bbox, width: u32, height: u32) -> Result<DetailCrop, ViewError> {
        let (dx, dy) = (bbox.width() * self.margin, bbox.height() * self.margin);
        let (left, right) = span(bbox.x1 - dx, bbox.x2 + dx, width).ok_or(ViewError::Outside)?;
        let (top, bottom) = span(bbox.y1 - dy, bbox.y2 + dy, height).ok_or(ViewError::Outside)?;
        let (w, h) = (right - left + 1, bottom - top + 1);
        let (short, long) = (f64::from(w.min(h)), f64::from(w.max(h)));
        if long / short > MAX_ASPECT {
            return Err(ViewError::Narrow);
        }
        let wanted = f64::from(self.short_side) / short;
        let allowed = f64::from(self.long_side) / long;
        let scale = wanted.min(allowed).max(1.0);
        // A side is at least 1 and, unless it was longer before, at most `long_side`.
        let to = |side: u32| ((f64::from(side) * scale).round() as u32).max(1);
        Ok(DetailCrop {
            left,
            top,
            width: w,
            height: h,
            to_width: to(w),
            to_height: to(h),
        })
    }
}

/// First and last pixel of a side within the image.
fn span(from: f64, to: f64, side: u32) -> Option<(u32, u32)> {
    let last = f64::from(side.checked_sub(1)?);
    if !(from <= to && to >= 0.0 && from <= last) {
        return None;
    }
    // Clamped to the image, so that the conversion is exact.
    Some((from.floor().max(0.0) as u32, to.ceil().min(last) as u32))
}
