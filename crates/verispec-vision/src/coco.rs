//! The 80 classes of COCO that the detector knows.

/// Class numbers of the network with the English names. A bare "mouse" may be an animal and is
/// left out.
const CLASSES: [(u8, &str, &str); 80] = [
    (1, "person", "people"),
    (2, "bicycle", "bicycles"),
    (3, "car", "cars"),
    (4, "motorcycle", "motorcycles"),
    (5, "airplane", "airplanes"),
    (6, "bus", "buses"),
    (7, "train", "trains"),
    (8, "truck", "trucks"),
    (9, "boat", "boats"),
    (10, "traffic light", "traffic lights"),
    (11, "fire hydrant", "fire hydrants"),
    (13, "stop sign", "stop signs"),
    (14, "parking meter", "parking meters"),
    (15, "bench", "benches"),
    (16, "bird", "birds"),
    (17, "cat", "cats"),
    (18, "dog", "dogs"),
    (19, "horse", "horses"),
    (20, "sheep", "sheep"),
    (21, "cow", "cows"),
    (22, "elephant", "elephants"),
    (23, "bear", "bears"),
    (24, "zebra", "zebras"),
    (25, "giraffe", "giraffes"),
    (27, "backpack", "backpacks"),
    (28, "umbrella", "umbrellas"),
    (31, "handbag", "handbags"),
    (32, "tie", "ties"),
    (33, "suitcase", "suitcases"),
    (34, "frisbee", "frisbees"),
    (35, "skis", "skis"),
    (36, "snowboard", "snowboards"),
    (37, "sports ball", "sports balls"),
    (38, "kite", "kites"),
    (39, "baseball bat", "baseball bats"),
    (40, "baseball glove", "baseball gloves"),
    (41, "skateboard", "skateboards"),
    (42, "surfboard", "surfboards"),
    (43, "tennis racket", "tennis rackets"),
    (44, "bottle", "bottles"),
    (46, "wine glass", "wine glasses"),
    (47, "cup", "cups"),
    (48, "fork", "forks"),
    (49, "knife", "knives"),
    (50, "spoon", "spoons"),
    (51, "bowl", "bowls"),
    (52, "banana", "bananas"),
    (53, "apple", "apples"),
    (54, "sandwich", "sandwiches"),
    (55, "orange", "oranges"),
    (56, "broccoli", "broccoli"),
    (57, "carrot", "carrots"),
    (58, "hot dog", "hot dogs"),
    (59, "pizza", "pizzas"),
    (60, "donut", "donuts"),
    (61, "cake", "cakes"),
    (62, "chair", "chairs"),
    (63, "couch", "couches"),
    (64, "potted plant", "potted plants"),
    (65, "bed", "beds"),
    (67, "dining table", "dining tables"),
    (70, "toilet", "toilets"),
    (72, "tv", "tvs"),
    (73, "laptop", "laptops"),
    (74, "computer mouse", "computer mice"),
    (75, "remote", "remotes"),
    (76, "keyboard", "keyboards"),
    (77, "cell phone", "cell phones"),
    (78, "microwave", "microwaves"),
    (79, "oven", "ovens"),
    (80, "toaster", "toasters"),
    (81, "sink", "sinks"),
    (82, "refrigerator", "refrigerators"),
    (84, "book", "books"),
    (85, "clock", "clocks"),
    (86, "vase", "vases"),
    (87, "scissors", "scissors"),
    (88, "teddy bear", "teddy bears"),
    (89, "hair drier", "hair driers"),
    (90, "toothbrush", "toothbrushes"),
];

/// Other words that mean the same and nothing wider or narrower: a man is a person, but a person
/// need not be a man, and a bike may be a motorcycle.
const SYNONYMS: [(&str, &str); 34] = [
    ("persons", "person"),
    ("human", "person"),
    ("humans", "person"),
    ("automobile", "car"),
    ("automobiles", "car"),
    ("motorbike", "motorcycle"),
    ("motorbikes", "motorcycle"),
    ("aeroplane", "airplane"),
    ("aeroplanes", "airplane"),
    ("lorry", "truck"),
    ("lorries", "truck"),
    ("sofa", "couch"),
    ("sofas", "couch"),
    ("television", "tv"),
    ("televisions", "tv"),
    ("doughnut", "donut"),
    ("doughnuts", "donut"),
    ("fridge", "refrigerator"),
    ("fridges", "refrigerator"),
    ("mobile phone", "cell phone"),
    ("mobile phones", "cell phone"),
    ("cellphone", "cell phone"),
    ("cellphones", "cell phone"),
    ("remote control", "remote"),
    ("remote controls", "remote"),
    ("necktie", "tie"),
    ("neckties", "tie"),
    ("rucksack", "backpack"),
    ("rucksacks", "backpack"),
    ("hair dryer", "hair drier"),
    ("hair dryers", "hair drier"),
    ("tennis racquet", "tennis racket"),
    ("tennis racquets", "tennis racket"),
    ("computer keyboard", "keyboard"),
];

/// Classes whose things people do not count one by one.
const NOT_COUNTED: [&str; 3] = ["skis", "scissors", "broccoli"];

/// A class of things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Class(u8);

impl Class {
    /// The class of a word or several, in lower case.
    pub(crate) fn from_words(words: &str) -> Option<Self> {
        let synonym = SYNONYMS.iter().find(|s| s.0 == words);
        let words = synonym.map_or(words, |s| s.1);
        let known = CLASSES.iter().find(|c| c.1 == words || c.2 == words)?;
        Some(Self(known.0))
    }

    /// The class of a number of the network.
    pub(crate) fn from_number(number: usize) -> Option<Self> {
        let known = CLASSES.iter().find(|c| usize::from(c.0) == number)?;
        Some(Self(known.0))
    }

    /// Its name in the singular.
    pub(crate) fn name(self) -> &'static str {
        let known = CLASSES.iter().find(|c| c.0 == self.0);
        known.map_or("thing", |c| c.1)
    }

    /// Whether "two of them" has a clear meaning.
    pub(crate) fn is_counted(self) -> bool {
        !NOT_COUNTED.contains(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_plural_and_synonym_has_its_class() {
        for (number, one, many) in CLASSES {
            assert_eq!(Class::from_words(one), Some(Class(number)), "{one}");
            assert_eq!(Class::from_words(many), Some(Class(number)), "{many}");
            assert_eq!(Class::from_number(number.into()), Some(Class(number)));
            assert_eq!(Class(number).name(), one);
        }
        for (word, class) in SYNONYMS {
            let of = Class::from_words(word).map(Class::name);
            assert_eq!(of, Some(class), "{word}");
        }
        for word in ["mouse", "man", "bike", "table", "plant", "hat", "", "stop"] {
            assert_eq!(Class::from_words(word), None, "{word}");
        }
        // Numbers that the network has but was not taught, and the background.
        for number in [0, 12, 26, 45, 91, 1000] {
            assert_eq!(Class::from_number(number), None);
        }
    }
}
