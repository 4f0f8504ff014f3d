use super::*;
use crate::scene::Bbox;
use crate::vocabulary::supercategory;

#[test]
fn schemas_are_the_same_for_both_sides_by_default() {
    let animal = supercategory("dog").unwrap();
    let optional = attribute_schema(animal, Presence::default());
    assert_eq!(
        optional["required"],
        serde_json::json!(["visual_reasoning"])
    );
    let names: Vec<&String> = optional["properties"].as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        ["visual_reasoning", "primary_color", "body_position"]
    );
    let forced = attribute_schema(animal, Presence::Forced);
    assert_eq!(forced["required"].as_array().unwrap().len(), 3);
}

#[test]
fn answers_that_are_no_answers() {
    let animal = supercategory("dog").unwrap();
    let read = |reply| read_attributes(animal, reply);
    let good = read(
        r#"{"visual_reasoning":"x","body_position":["lying"],"wings":["2"],"primary_color":"brown"}"#,
    );
    let keys: Vec<String> = good.unwrap().iter().map(|(k, _)| k.to_owned()).collect();
    assert_eq!(keys, ["primary_color", "body_position"]);
    assert!(
        read(r#"{"visual_reasoning":"nothing to see"}"#)
            .unwrap()
            .is_empty()
    );
    for bad in [
        "",
        "brown",
        r#"{"primary_color":["bro"#,
        "[]",
        r#"{"primary_color":[1]}"#,
    ] {
        assert_eq!(read(bad), None, "{bad}");
    }
}

#[test]
fn crops_stay_in_the_image() {
    let view = DetailView::default();
    let crop = view
        .crop(Bbox::new(10.0, 10.0, 19.0, 29.0), 640, 480)
        .unwrap();
    // 10 x 20 pixels and a fifth on each side: 14 x 28, enlarged 16 times.
    assert_eq!(
        (crop.left, crop.top, crop.width, crop.height),
        (8, 6, 14, 28)
    );
    assert_eq!((crop.to_width, crop.to_height), (224, 448));
    let edge = view
        .crop(Bbox::new(0.0, 0.0, 639.0, 479.0), 640, 480)
        .unwrap();
    assert_eq!(
        (edge.width, edge.height, edge.to_width, edge.to_height),
        (640, 480, 640, 480)
    );
    let long = view
        .crop(Bbox::new(0.0, 100.0, 639.0, 119.0), 640, 480)
        .unwrap();
    assert_eq!(long.to_width, 1024);
    let low = view
        .crop(Bbox::new(0.0, 5.0, 639.0, 7.0), 640, 480)
        .unwrap();
    assert_eq!((low.top, low.height, low.to_width), (4, 5, 1024));
    let thin = view.crop(Bbox::new(0.0, 0.0, 639.0, 0.0), 640, 1);
    assert_eq!(thin, Err(ViewError::Narrow));
    for outside in [
        Bbox::new(700.0, 0.0, 710.0, 5.0),
        Bbox::new(9.0, 9.0, 1.0, 1.0),
    ] {
        assert_eq!(view.crop(outside, 640, 480), Err(ViewError::Outside));
    }
}
