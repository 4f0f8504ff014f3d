//! Which attributes are asked of which kind of object.

/// A class of labels that are described by the same attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Supercategory {
    /// Name, such as `animal`.
    pub name: &'static str,
    /// Labels of the class.
    pub labels: &'static [&'static str],
    /// Attribute keys, in the order in which they are asked.
    pub keys: &'static [&'static str],
}

const fn row(
    name: &'static str,
    labels: &'static [&'static str],
    keys: &'static [&'static str],
) -> Supercategory {
    Supercategory { name, labels, keys }
}

/// The 30 supercategories of XTC-Bench. Every label is in exactly one.
pub const SUPERCATEGORIES: [Supercategory; 30] = [
    row(
        "person",
        &["person"],
        &[
            "upper_clothing_type",
            "upper_clothing_color",
            "lower_clothing_type",
            "lower_clothing_color",
            "held_object_type",
            "headwear_eyewear",
        ],
    ),
    row(
        "vehicle",
        &[
            "airplane",
            "bicycle",
            "boat",
            "bus",
            "car",
            "motorcycle",
            "train",
            "truck",
        ],
        &["primary_color", "viewpoint_angle", "text_number_visible"],
    ),
    row(
        "traffic_control",
        &["traffic light", "stop sign", "parking meter"],
        &["light_color_state", "text_on_sign", "mounted_position"],
    ),
    row(
        "street_furniture",
        &["bench", "fire hydrant"],
        &["primary_color"],
    ),
    row(
        "animal",
        &[
            "bear", "bird", "cat", "cow", "dog", "elephant", "giraffe", "horse", "sheep", "zebra",
        ],
        &["primary_color", "body_position"],
    ),
    row(
        "bags_accessories",
        &["backpack", "handbag", "suitcase", "umbrella"],
        &["primary_color", "open_closed_state"],
    ),
    row("wearables", &["tie"], &["primary_color"]),
    row(
        "sports_equipment",
        &[
            "baseball bat",
            "baseball glove",
            "frisbee",
            "kite",
            "skateboard",
            "skis",
            "snowboard",
            "sports ball",
            "surfboard",
            "tennis racket",
        ],
        &["primary_color", "brand_text_visible"],
    ),
    row(
        "containers",
        &["bottle", "bowl", "cup", "wine glass"],
        &["primary_color", "content_visible"],
    ),
    row("utensils", &["fork", "knife", "spoon"], &["primary_color"]),
    row(
        "prepared_food",
        &[
            "cake",
            "donut",
            "hot dog",
            "pizza",
            "sandwich",
            "food-other-merged",
        ],
        &["primary_color", "topping_type"],
    ),
    row(
        "raw_produce",
        &["apple", "banana", "broccoli", "carrot", "fruit", "orange"],
        &["primary_color"],
    ),
    row(
        "furniture",
        &["bed", "chair", "couch", "dining table"],
        &["primary_color"],
    ),
    row(
        "potted_vegetation",
        &["potted plant", "flower"],
        &["primary_color", "container_type"],
    ),
    row(
        "landscape_vegetation",
        &["grass-merged", "tree-merged"],
        &["primary_color"],
    ),
    row(
        "screen_devices",
        &["cell phone", "laptop", "tv"],
        &["primary_color", "brand_text_visible", "screen_on_off"],
    ),
    row(
        "input_devices",
        &["keyboard", "mouse", "remote"],
        &["primary_color", "brand_text_visible"],
    ),
    row(
        "door_appliances",
        &["microwave", "oven", "refrigerator", "toaster"],
        &["primary_color", "door_open_closed"],
    ),
    row("bathroom_fixtures", &["sink", "toilet"], &["primary_color"]),
    row(
        "indoor_objects",
        &[
            "book",
            "clock",
            "hair drier",
            "scissors",
            "teddy bear",
            "toothbrush",
            "vase",
        ],
        &["primary_color", "text_visible"],
    ),
    row(
        "textiles",
        &[
            "banner",
            "blanket",
            "curtain",
            "pillow",
            "towel",
            "rug-merged",
        ],
        &["primary_color", "text_visible"],
    ),
    row(
        "surfaces",
        &[
            "road",
            "pavement-merged",
            "sand",
            "gravel",
            "snow",
            "dirt-merged",
        ],
        &["surface_material", "marking_type", "wet_dry_state"],
    ),
    row(
        "buildings",
        &["building-other-merged", "house", "tent"],
        &["primary_color", "window_count"],
    ),
    row(
        "infrastructure",
        &[
            "bridge",
            "fence-merged",
            "stairs",
            "roof",
            "platform",
            "railroad",
        ],
        &["primary_color"],
    ),
    row(
        "openable_elements",
        &["door-stuff", "window-blind", "window-other"],
        &["primary_color", "open_closed_state"],
    ),
    row(
        "room_surfaces",
        &[
            "ceiling-merged",
            "floor-other-merged",
            "floor-wood",
            "wall-brick",
            "wall-other-merged",
            "wall-stone",
            "wall-tile",
            "wall-wood",
        ],
        &["primary_color"],
    ),
    row(
        "storage_furniture",
        &["cabinet-merged", "shelf"],
        &["primary_color", "drawer_count"],
    ),
    row(
        "work_surfaces",
        &["table-merged", "counter"],
        &["primary_color"],
    ),
    row(
        "outdoor_elements",
        &[
            "cardboard",
            "light",
            "mirror-stuff",
            "net",
            "paper-merged",
            "playingfield",
            "rock-merged",
        ],
        &["primary_color", "text_visible"],
    ),
    row(
        "natural_environment",
        &[
            "mountain-merged",
            "river",
            "sea",
            "sky-other-merged",
            "water-other",
        ],
        &["primary_color", "weather_type", "wave_cloud_visible"],
    ),
];

/// The supercategory of a label; `None` for a label outside the vocabulary.
#[must_use]
pub fn supercategory(label: &str) -> Option<&'static Supercategory> {
    SUPERCATEGORIES.iter().find(|s| s.labels.contains(&label))
}
