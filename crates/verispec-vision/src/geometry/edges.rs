//! Pixels between regions: finds those on drawn edges, and gives them to a side or, where they are
//! a stroke too thin to have a region, makes one of them.

use image::RgbImage;

use crate::colour::{MeanTone, Tone};
use crate::geometry::segment::{MIN_AREA, NONE, Region, Segmentation, neighbours4};

/// Least difference of an edge's two sides, sRGB distance squared; less is gradient or noise.
const STEP: f32 = 40.0 * 40.0;
/// Largest squared distance of a mixture from the straight line between the sides.
const OFF_LINE: f32 = 30.0 * 30.0;
/// A stroke differs at least this much from what surrounds it.
const STROKE: f32 = 0.12;
/// A pixel of a stroke stands out at least this much of what its strongest neighbour does. Low, so
/// that a stroke smoothed over two pixels stays in one piece.
const FAINT: f32 = 0.35;

/// Marks pixels whose colour is a mixture of two clearly different opposite neighbours, except the
/// ridge of a thin stroke, which differs from both.
pub(crate) fn blends(image: &RgbImage) -> Vec<bool> {
    let (w, h) = (i64::from(image.width()), i64::from(image.height()));
    let rgb = |x: i64, y: i64| {
        let inside = (0..w).contains(&x) && (0..h).contains(&y);
        inside.then(|| image.get_pixel(x as u32, y as u32).0.map(f32::from))
    };
    let mut out = Vec::with_capacity((w * h) as usize);
    for y in 0..h {
        for x in 0..w {
            let p = image.get_pixel(x as u32, y as u32).0.map(f32::from);
            let (mut mixture, mut ridge) = (false, false);
            for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                if let (Some(a), Some(b)) = (rgb(x - dx, y - dy), rgb(x + dx, y + dy)) {
                    mixture |= mixes(p, a, b);
                    ridge |= stands_out(p, a, b);
                }
            }
            out.push(mixture && !ridge);
        }
    }
    out
}

fn sub(u: [f32; 3], v: [f32; 3]) -> [f32; 3] {
    [0, 1, 2].map(|i| u[i] - v[i])
}

fn dot(u: [f32; 3], v: [f32; 3]) -> f32 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/// Whether `p` lies on the line from `a` to `b` in sRGB, away from both ends.
fn mixes(p: [f32; 3], a: [f32; 3], b: [f32; 3]) -> bool {
    let (ab, ap) = (sub(b, a), sub(p, a));
    let length = dot(ab, ab);
    if length < STEP {
        return false;
    }
    let t = dot(ap, ab) / length;
    let off = (dot(ap, ap) - t * t * length).max(0.0);
    (0.06..=0.94).contains(&t) && off < OFF_LINE
}

/// Whether `p` differs clearly from both neighbours, to the same side.
fn stands_out(p: [f32; 3], a: [f32; 3], b: [f32; 3]) -> bool {
    let (pa, pb) = (sub(a, p), sub(b, p));
    dot(pa, pa) >= STEP && dot(pb, pb) >= STEP && dot(pa, pb) > 0.8 * dot(pa, pa).min(dot(pb, pb))
}

/// Gives each pixel without a region to the region of nearest colour within two pixels. A pixel
/// with only one colour near, that stands out from it, is part of a thin stroke: strokes are joined
/// to the region they touch, if it has about their colour, or become regions.
pub(crate) fn give_away(seg: &mut Segmentation, tones: &[Tone]) {
    let open: Vec<usize> = (0..tones.len())
        .filter(|&at| seg.labels[at] == NONE)
        .collect();
    let sides: Vec<Option<u32>> = open.iter().map(|&at| side(seg, tones, at)).collect();
    for (&at, side) in open.iter().zip(&sides) {
        if let Some(label) = side {
            seg.labels[at] = *label;
        }
    }
    join_strokes(seg, tones, &open);
    join_alike(seg);
}

/// Two regions that touch and differ by less than this are one.
const ALIKE: f32 = 0.06;

/// Unites touching regions of one colour: pieces of a stroke that edges had cut apart.
fn join_alike(seg: &mut Segmentation) {
    let mut unions: Vec<(u32, u32)> = Vec::new();
    for at in 0..seg.labels.len() {
        let label = seg.labels[at];
        // Four neighbours: through a ring of one pixel, inside and outside touch at corners.
        for near in neighbours4(at, seg.width, seg.height).into_iter().flatten() {
            let pair = (label, seg.labels[near]);
            let new = near > at && pair.0 != pair.1 && pair.0 != NONE && pair.1 != NONE;
            if new && seg.distance(pair.0 as usize, pair.1 as usize) < ALIKE {
                unions.push(pair);
            }
        }
    }
    unions.sort_unstable();
    unions.dedup();
    unite(seg, &unions);
}

/// The region a pixel belongs to, or `None` if it is part of a stroke.
fn side(seg: &Segmentation, tones: &[Tone], at: usize) -> Option<u32> {
    let mut near: Vec<(f32, usize, u32)> = Vec::new();
    for other in seg.square(at, 2) {
        let label = seg.labels[other];
        if label == NONE {
            continue;
        }
        match near.iter_mut().find(|n| n.2 == label) {
            Some(n) => n.1 += 1,
            None => near.push((
                tones[at].distance(seg.regions[label as usize].tone),
                1,
                label,
            )),
        }
    }
    let apart = near.iter().map(|n| n.0).reduce(f32::min)?;
    // Of equally near ones, such as inside and outside of a ring, the one that surrounds it more.
    let &(_, _, label) = near
        .iter()
        .filter(|n| n.0 < apart + 0.01)
        .max_by_key(|n| n.1)?;
    let ground = seg.regions[label as usize].tone;
    let farthest = seg
        .square(at, 2)
        .map(|o| tones[o].distance(ground))
        .fold(0.0, f32::max)
        .max(STROKE);
    // Inside and outside of a ring are two regions of one colour.
    let alone = near
        .iter()
        .all(|n| seg.distance(n.2 as usize, label as usize) < ALIKE);
    (!alone || apart <= FAINT * farthest).then_some(label)
}

fn join_strokes(seg: &mut Segmentation, tones: &[Tone], open: &[usize]) {
    let mut unions: Vec<(u32, u32)> = Vec::new();
    for &start in open {
        if seg.labels[start] != NONE {
            continue;
        }
        let label = seg.regions.len() as u32;
        let members = collect(seg, start, label);
        let touching = neighbours(seg, &members, label);
        let tone = strongest(seg, tones, &members, &touching);
        seg.regions.push(Region::new(tone));
        let Some(&ground) = touching.first() else {
            continue;
        };
        let (to, own) = (ground as usize, label as usize);
        let like = |other: &&u32| {
            let other = **other as usize;
            seg.distance(other, to) >= ALIKE
                && seg.distance(other, own) < 0.5 * seg.distance(own, to)
        };
        let before = unions.len();
        unions.extend(touching.iter().filter(like).map(|&o| (o, label)));
        if members.len() < MIN_AREA && unions.len() == before {
            // Too small for anything: it belongs to what it lies in.
            unions.push((ground, label));
        }
    }
    unite(seg, &unions);
}

/// Labels the connected open pixels (8 neighbours) around a pixel.
fn collect(seg: &mut Segmentation, start: usize, label: u32) -> Vec<usize> {
    let mut members = vec![start];
    seg.labels[start] = label;
    let mut next = 0;
    while let Some(&at) = members.get(next) {
        next += 1;
        for near in seg.square(at, 1) {
            if seg.labels[near] == NONE {
                seg.labels[near] = label;
                members.push(near);
            }
        }
    }
    members
}

/// Regions that touch a stroke, the one with most contact first.
fn neighbours(seg: &Segmentation, members: &[usize], label: u32) -> Vec<u32> {
    let mut contact: Vec<(usize, u32)> = Vec::new();
    for near in members.iter().flat_map(|&at| seg.square(at, 1)) {
        let other = seg.labels[near];
        if other == label || other == NONE {
            continue;
        }
        match contact.iter_mut().find(|c| c.1 == other) {
            Some(c) => c.0 += 1,
            None => contact.push((1, other)),
        }
    }
    contact.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    contact.into_iter().map(|c| c.1).collect()
}

/// Mean colour of the third of a stroke's pixels that stand out most from what surrounds it.
fn strongest(seg: &Segmentation, tones: &[Tone], members: &[usize], touching: &[u32]) -> Tone {
    let mut order = members.to_vec();
    if let Some(&around) = touching.first() {
        let ground = seg.regions[around as usize].tone;
        order.sort_by(|&a, &b| {
            tones[b]
                .distance(ground)
                .total_cmp(&tones[a].distance(ground))
        });
    }
    let mut mean = MeanTone::default();
    order[..order.len().div_ceil(3)]
        .iter()
        .for_each(|&at| mean.add(tones[at]));
    mean.mean()
}

/// Unites regions; each union keeps the colour of its lowest index.
fn unite(seg: &mut Segmentation, unions: &[(u32, u32)]) {
    let mut root: Vec<u32> = (0..seg.regions.len() as u32).collect();
    let find = |root: &[u32], mut i: u32| {
        while root[i as usize] != i {
            i = root[i as usize];
        }
        i
    };
    for &(a, b) in unions {
        let (a, b) = (find(&root, a), find(&root, b));
        root[a.max(b) as usize] = a.min(b);
    }
    let mut place = vec![NONE; root.len()];
    let mut kept = 0;
    for i in 0..root.len() {
        if root[i] as usize == i {
            place[i] = kept;
            kept += 1;
        }
    }
    let place: Vec<u32> = (0..root.len())
        .map(|i| place[find(&root, i as u32) as usize])
        .collect();
    seg.relabel(&place);
}
