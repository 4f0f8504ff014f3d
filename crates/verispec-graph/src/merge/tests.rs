use proptest::prelude::*;

use super::*;
use crate::scene::{Bbox, Image, Segment, SegmentId};

fn image(boxes: &[(f64, f64)]) -> Image {
    let segment = |(at, (x, width)): (usize, &(f64, f64))| Segment {
        id: SegmentId(at as u64 + 1),
        category_id: (at % 2) as u32,
        is_thing: true,
        area: 1,
        score: 1.0,
        bbox: Bbox::new(*x, 0.0, x + width, 10.0),
    };
    Image {
        image_id: 1,
        file_name: "1.jpg".into(),
        height: 10,
        width: 10,
        mask_file: None,
        segments: boxes.iter().enumerate().map(segment).collect(),
    }
}

proptest! {
    /// Every segment is in exactly one group of its own category, named by its smallest member, and
    /// of one member or at least the smallest size.
    #[test]
    fn groups_are_a_partition(
        boxes in prop::collection::vec((0.0..300.0_f64, 1.0..40.0_f64), 0..16),
        min_size in 1..5_usize,
    ) {
        let image = image(&boxes);
        let rule = GroupRule { padding: 10.0, min_size };
        let groups = merge_groups(&image, rule);
        prop_assert_eq!(groups.group_of.len(), boxes.len());
        for (group, members) in groups.members(&image) {
            prop_assert_eq!(members.iter().min(), Some(&group));
            prop_assert!(members.len() == 1 || members.len() >= min_size);
            prop_assert!(members.iter().all(|m| m.0 % 2 == group.0 % 2));
        }
    }
}

#[test]
fn files_of_different_images_are_refused() {
    let image = image(&[(0.0, 5.0)]);
    let cleaned = crate::scene::CleanedGraph {
        image_id: 2,
        file_name: String::new(),
        boxes: vec![],
        relations: vec![],
    };
    let labels = ["person".to_owned()];
    let rule = GroupRule::default();
    let merge = |image: &Image, labels: &[String], id| {
        let cleaned = crate::scene::CleanedGraph {
            image_id: id,
            ..cleaned.clone()
        };
        merge_image(image, Some(&cleaned), labels, rule, PredicateKeep::All)
    };
    assert_eq!(
        merge(&image, &labels, 2),
        Err(MergeError::OtherImage { image: 1, other: 2 })
    );
    assert!(matches!(
        merge(&image, &[], 1),
        Err(MergeError::Category { segment: 1, .. })
    ));
    assert!(merge(&image, &labels, 1).is_ok());
    let mut twice = image.clone();
    twice.segments.push(twice.segments[0].clone());
    assert_eq!(
        merge(&twice, &labels, 1),
        Err(MergeError::Duplicate {
            image: 1,
            segment: 1
        })
    );
}
