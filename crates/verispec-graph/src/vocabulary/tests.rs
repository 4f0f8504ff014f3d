use std::collections::BTreeSet;

use super::*;

#[test]
fn every_label_has_one_supercategory() {
    for label in LABELS {
        let of = |s: &&Supercategory| s.labels.contains(&label);
        assert_eq!(SUPERCATEGORIES.iter().filter(of).count(), 1, "{label}");
    }
    let listed: usize = SUPERCATEGORIES.iter().map(|s| s.labels.len()).sum();
    assert_eq!(listed, 133);
    let keys: BTreeSet<&str> = SUPERCATEGORIES
        .iter()
        .flat_map(|s| s.keys)
        .copied()
        .collect();
    assert_eq!(keys.len(), 28);
    assert_eq!(supercategory("unicorn"), None);
}

#[test]
fn ids_and_labels_are_inverse() {
    for (id, name) in (0..).zip(LABELS) {
        assert_eq!((label(id), category_id(name)), (Some(name), Some(id)));
    }
    assert_eq!(label(133), None);
    assert_eq!(label(THINGS), Some("banner"));
    assert_eq!(BTreeSet::from(PREDICATES).len(), 56);
}

#[test]
fn cleaned_labels_stay_apart() {
    let cleaned: BTreeSet<String> = LABELS.iter().map(|l| clean_label(l)).collect();
    assert_eq!(cleaned.len(), 133);
    for label in &cleaned {
        assert_eq!(&clean_label(label), label);
    }
    for (label, expected) in [
        ("wall-other-merged", "wall"),
        ("floor-wood", "wood floor"),
        ("door-stuff", "door stuff"),
        ("window-blind", "window blind"),
        ("tree-merged", "tree"),
    ] {
        assert_eq!(clean_label(label), expected);
    }
}

#[test]
fn two_predicates_change() {
    let changed: Vec<&str> = PREDICATES
        .into_iter()
        .filter(|p| clean_predicate(p) != *p)
        .collect();
    assert_eq!(changed, ["on back of", "lying on"]);
}
