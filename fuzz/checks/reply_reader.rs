//! What a judge wrote, read for four items, for one, as a grade, and by the `published` ladder.

use verispec_judge::reader::{
    ReadOptions, ReadStatus, published, read_grade, read_list, read_single,
};
use verispec_model::{Answer, Reading, SpecId};

/// Panics where the code breaks what `docs/fuzzing.md` says it holds.
pub(crate) fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let asked: Vec<SpecId> = (1..=4).collect();
    let strict = read_list(&text, &asked, ReadOptions::default());
    let lenient = read_list(&text, &asked, ReadOptions { lenient: true });
    for read in [&strict, &lenient] {
        let ids: Vec<SpecId> = read.items.keys().copied().collect();
        assert_eq!(ids, asked, "one entry per asked id");
        if read.status == ReadStatus::Unparsed {
            assert!(
                read.items
                    .values()
                    .all(|i| matches!(i.reading, Reading::Unjudged(_)))
            );
        }
    }
    assert_ne!(strict.status, ReadStatus::PartialSalvaged);
    if strict.status == ReadStatus::WellFormed {
        assert_eq!(
            strict, lenient,
            "leniency only concerns replies that were cut"
        );
    }
    let _ = read_single(&text, 1);
    if let Reading::Answer(Answer::Grade { value, .. }) =
        read_grade(&text, (0.0, 10.0)).item.reading
    {
        assert!((0.0..=10.0).contains(&value), "{value} is out of range");
    }
    // The ladder is quadratic as released; long texts would only measure that.
    if text.len() <= 1_024
        && let Some(hit) = published::parse_ladder(&text)
        && let Some(list) = published::accepted(&hit.value)
        && let Ok(answers) = published::merge(list, &asked)
    {
        assert_eq!(answers.len(), asked.len());
    }
}
