use proptest::prelude::*;

use super::read_choice;

fn options(n: usize) -> Vec<String> {
    ["Red", "Blue", "Turn at C", "A dog", "None of them"][..n]
        .iter()
        .map(|s| (*s).to_owned())
        .collect()
}

fn read(text: &str) -> String {
    read_choice(text, &options(4))
        .map(String::from)
        .unwrap_or_default()
}

#[track_caller]
fn all(cases: &[(&str, &str)]) {
    for (text, letter) in cases {
        assert_eq!(read(text), *letter, "{text}");
    }
}

#[test]
fn letters_options_and_boxes() {
    all(&[
        ("**C**", "C"),
        ("(b).", "B"),
        ("$\\boxed{\\text{D}}$", "D"),
        ("It is \\boxed{Blue}", "B"),
        ("blue", "B"),
        ("B. Blue", "B"),
        ("C. Blue", "C"),
        ("turn at c.", "C"),
        ("Red or Blue", ""),
        ("<answer>B</answer>", "B"),
        ("【C】", "C"),
        ("", ""),
        ("42", ""),
    ]);
}

#[test]
fn declarations_in_several_languages() {
    all(&[
        ("答案是B", "B"),
        ("答案：Ｃ", "C"),
        ("我选择C。", "C"),
        ("La réponse est B.", "B"),
        ("La respuesta correcta es la opción C", "C"),
        ("Die richtige Antwort ist D", "D"),
        ("Ответ: B", "B"),
        ("正解はBです", "B"),
        ("정답은 C입니다", "C"),
        ("My choice: (d)", "D"),
        ("I would go with B, since it is red.", "B"),
    ]);
}

#[test]
fn the_last_declaration_counts_and_denials_do_not() {
    all(&[
        ("The answer is A. Wait, no. The answer is B.", "B"),
        ("The wrong answer is A, the right one is C", ""),
        ("The answer is not B", ""),
        ("The answer is B, not C.", "B"),
        ("Option A is wrong. Option C is right.", "C"),
        ("Option C is right. Option A is wrong.", "C"),
        ("Option A shows a dog, option B a cat", ""),
        ("The answer is A or B", ""),
        ("Answer: A/C", ""),
        ("The answer is a dog on a lawn", ""),
        ("The answer is A because of the lawn", "A"),
        ("Answer: B, C", ""),
        ("Not C", ""),
    ]);
}

#[test]
fn lone_letters_are_no_parts_of_words() {
    all(&[
        ("A C-shaped curve", ""),
        ("A's position is off", ""),
        ("I see a dog", ""),
        ("A is correct", "A"),
        ("the picture in C fits best", "C"),
        ("A. Red\nB. Blue\nC. Turn at C\nD. A dog", ""),
        ("Based on A's position, final answer: (c)", "C"),
        ("Based on the picture, I choose C.", "C"),
    ]);
}

#[test]
fn options_that_are_not_there_are_not_named() {
    assert_eq!(read("E"), "");
    assert_eq!(read_choice("E", &options(5)), Some('E'));
    assert_eq!(read_choice("the answer is (e)", &options(5)), Some('E'));
    assert_eq!(read_choice("none of them", &options(5)), Some('E'));
    assert_eq!(read_choice("C", &options(2)), None);
    assert_eq!(read_choice("A", &[]), None);
}

proptest! {
    #[test]
    fn any_text_is_read_without_a_fault(text in "\\PC{0,60}", n in 0_usize..6) {
        if let Some(letter) = read_choice(&text, &options(n)) {
            prop_assert!((u32::from(letter) - u32::from('A')) < u32::try_from(n).unwrap());
        }
    }

    #[test]
    fn texts_of_letters_and_links_are_read_without_a_fault(text in "[ABCDE abc().:，答案是选 option answer is not or\\\\{}<>/]{0,40}") {
        let letter = read_choice(&text, &options(4));
        prop_assert!(letter.is_none_or(|l| ('A'..='D').contains(&l)));
    }

    #[test]
    fn a_declared_letter_is_found_in_any_company(before in "[a-z ]{0,20}", at in 0_u8..4) {
        let letter = char::from(b'A' + at);
        let text = format!("x{before}. The correct answer is {letter}.");
        prop_assert_eq!(read_choice(&text, &options(4)), Some(letter));
    }
}
