//! Compares a wanted text with what was read, word for word. A misspelling stays a misspelling.

use crate::ocr::{Line, Page};
use crate::tri::Tri;

/// What a comparison found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Found {
    /// Whether the text is there.
    pub(crate) there: Tri,
    /// Mean character probability of the lines that decided, where lines did.
    pub(crate) confidence: Option<f32>,
    /// Why it is open, where it is.
    pub(crate) doubt: Option<String>,
}

/// A word of the page, folded, with the index of its line.
struct Word {
    text: String,
    line: usize,
}

/// How texts are folded before comparing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Folding {
    /// Keep upper and lower case apart.
    pub(crate) case: bool,
    /// Keep punctuation at the ends of words.
    pub(crate) strict: bool,
}

/// Looks for a text on a page.
pub(crate) fn find(page: &Page, wanted: &str, fold: Folding) -> Found {
    let found = |lines: &[usize]| {
        let confidence = least(page, lines);
        let sure = lines.iter().all(|&l| page.lines[l].is_sure());
        let doubt = (!sure).then(|| "read, but not surely".to_owned());
        Found {
            there: Tri::of(sure, true),
            confidence,
            doubt,
        }
    };
    if let Some(lines) = search(page, wanted, fold) {
        return found(&lines);
    }
    let open = |doubt: String| Found {
        there: Tri::Maybe,
        confidence: None,
        doubt: Some(doubt),
    };
    let loose = Folding {
        strict: false,
        case: false,
    };
    if search(page, wanted, loose).is_some() {
        // The recogniser drops punctuation and mistakes case too easily to build a "no" on that.
        return open("read with other punctuation or case".to_owned());
    }
    if scattered(page, wanted, loose) {
        return open("all its words were read, but not in a row".to_owned());
    }
    if let Some(line) = page.lines.iter().find(|l| l.is_unread_text()) {
        return open(format!(
            "a line was not read surely: {:?} ({:.2})",
            line.text, line.confidence
        ));
    }
    Found {
        there: Tri::No,
        confidence: nearest(page, wanted),
        doubt: None,
    }
}

/// Confidence of a surely read line that is nearly the text: a misspelling of it.
fn nearest(page: &Page, wanted: &str) -> Option<f32> {
    let want = squeeze(wanted);
    page.lines
        .iter()
        .filter(|l| l.is_sure() && edit_distance(&squeeze(&l.text), &want) * 3 <= want.len())
        .map(|l| l.confidence)
        .reduce(f32::max)
}

/// Lines that hold the text: in one line, in reading order, or down a column.
fn search(page: &Page, wanted: &str, fold: Folding) -> Option<Vec<usize>> {
    let want = words(wanted, fold);
    if want.is_empty() {
        return None;
    }
    let want = want.concat();
    let all: Vec<usize> = (0..page.lines.len()).collect();
    let single = all.iter().map(|&l| vec![l]);
    let columns = all.iter().map(|&l| column(page, l));
    single
        .chain([all.clone()])
        .chain(columns)
        .find_map(|lines| in_sequence(page, &lines, &want, fold))
}

/// The recogniser may drop spaces, so characters are compared without them; the match still has to
/// begin and end at a word's border.
fn in_sequence(page: &Page, lines: &[usize], want: &str, fold: Folding) -> Option<Vec<usize>> {
    let all: Vec<Word> = lines
        .iter()
        .flat_map(|&line| {
            words(&page.lines[line].text, fold)
                .into_iter()
                .map(move |text| Word { text, line })
        })
        .collect();
    for start in 0..all.len() {
        let mut joined = String::new();
        for (i, word) in all.iter().enumerate().skip(start) {
            joined.push_str(&word.text);
            if joined == want {
                let mut used: Vec<usize> = all[start..=i].iter().map(|w| w.line).collect();
                used.dedup();
                return Some(used);
            }
            if joined.len() >= want.len() || !want.starts_with(&joined) {
                break;
            }
        }
    }
    None
}

/// A line and those below it that overlap it horizontally.
fn column(page: &Page, first: usize) -> Vec<usize> {
    let mut out = vec![first];
    let mut last = first;
    for next in first + 1..page.lines.len() {
        let (a, b) = (&page.lines[last].bbox, &page.lines[next].bbox);
        let shared = a[2].min(b[2]) - a[0].max(b[0]);
        if shared > 0.3 * (a[2] - a[0]).min(b[2] - b[0]) && b[1] >= a[1] {
            out.push(next);
            last = next;
        }
    }
    out
}

/// Whether each word of a text of several words was read somewhere.
fn scattered(page: &Page, wanted: &str, fold: Folding) -> bool {
    let read: Vec<String> = page
        .lines
        .iter()
        .flat_map(|l| words(&l.text, fold))
        .collect();
    let want = words(wanted, fold);
    want.len() >= 2 && want.iter().all(|w| read.contains(w))
}

/// Words after folding. Dashes that stand alone are dropped unless strict.
fn words(text: &str, fold: Folding) -> Vec<String> {
    let text = text.replace(['\u{2018}', '\u{2019}', '`'], "'");
    let text = text
        .replace(['\u{201c}', '\u{201d}'], "\"")
        .replace(['\u{2013}', '\u{2014}'], "-");
    let text = if fold.case { text } else { text.to_lowercase() };
    text.split_whitespace()
        .map(|w| {
            let w = if fold.strict {
                w
            } else {
                w.trim_matches(|c| ",;:!?'\"-.()[]|".contains(c))
            };
            w.to_owned()
        })
        .filter(|w| !w.is_empty())
        .collect()
}

fn squeeze(text: &str) -> Vec<char> {
    text.to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

fn least(page: &Page, lines: &[usize]) -> Option<f32> {
    lines
        .iter()
        .map(|&l| page.lines[l].confidence)
        .reduce(f32::min)
}

/// Whether text is left once some texts are taken away; `Maybe` if a doubtful line decides.
pub(crate) fn anything_else(page: &Page, known: &[String]) -> Tri {
    let fold = Folding::default();
    let known: Vec<String> = known.iter().flat_map(|t| words(t, fold)).collect();
    let joined = known.concat();
    let other = |line: &Line| {
        words(&line.text, fold).iter().any(|w| {
            w.chars().any(char::is_alphanumeric)
                && !known.contains(w)
                && !joined.contains(w.as_str())
        })
    };
    let sure = page
        .lines
        .iter()
        .any(|l| l.is_sure() && other(l) && l.text.chars().count() >= 2);
    let perhaps = page.lines.iter().any(|l| other(l) || l.is_unread_text());
    Tri::of(sure, perhaps)
}

/// Levenshtein distance.
fn edit_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = (diagonal + usize::from(x != y))
                .min(row[j] + 1)
                .min(row[j + 1] + 1);
            diagonal = row[j + 1];
            row[j + 1] = cost;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(lines: &[(&str, f32)]) -> Page {
        let line = |(i, &(text, confidence)): (usize, &(&str, f32))| Line {
            text: text.into(),
            confidence,
            bbox: [0.0, 30.0 * i as f32, 100.0, 30.0 * i as f32 + 20.0],
        };
        Page {
            lines: lines.iter().enumerate().map(line).collect(),
        }
    }

    fn there(lines: &[(&str, f32)], wanted: &str) -> Tri {
        find(&page(lines), wanted, Folding::default()).there
    }

    #[test]
    fn whole_words_only() {
        assert_eq!(there(&[("OPEN", 0.99)], "open"), Tri::Yes);
        assert_eq!(there(&[("OPENING", 0.99)], "OPEN"), Tri::No);
        assert_eq!(there(&[("OPNE", 0.99)], "OPEN"), Tri::No);
        assert_eq!(there(&[("WE ARE OPEN!", 0.99)], "OPEN"), Tri::Yes);
        assert_eq!(there(&[("SALE50%", 0.99)], "SALE 50%"), Tri::Yes);
        assert_eq!(there(&[("SALE 5O%", 0.99)], "SALE 50%"), Tri::No);
        assert_eq!(there(&[], "OPEN"), Tri::No);
    }

    #[test]
    fn over_several_lines() {
        let lines = [("GRAND", 0.99), ("OPENING", 0.98), ("TODAY", 0.99)];
        assert_eq!(there(&lines, "Grand Opening"), Tri::Yes);
        assert_eq!(there(&lines, "Opening Today"), Tri::Yes);
        assert_eq!(there(&lines, "Grand Today"), Tri::Maybe);
    }

    #[test]
    fn doubt_is_kept() {
        assert_eq!(there(&[("OPEN", 0.7)], "OPEN"), Tri::Maybe);
        assert_eq!(there(&[("0PEN", 0.7)], "OPEN"), Tri::Maybe);
        assert_eq!(there(&[("", 0.0)], "OPEN"), Tri::Maybe);
        // A blob read as one character hides no word.
        assert_eq!(there(&[("8", 0.6)], "OPEN"), Tri::No);
        let strict = Folding {
            strict: true,
            case: false,
        };
        assert_eq!(
            find(&page(&[("FLY FREE", 0.99)]), "FLY FREE!", strict).there,
            Tri::Maybe
        );
        let case = Folding {
            strict: false,
            case: true,
        };
        assert_eq!(
            find(&page(&[("Open", 0.99)]), "OPEN", case).there,
            Tri::Maybe
        );
    }

    #[test]
    fn other_text() {
        let known = ["OPEN".to_owned()];
        assert_eq!(anything_else(&page(&[("OPEN", 0.99)]), &known), Tri::No);
        assert_eq!(
            anything_else(&page(&[("OPEN", 0.99), ("24 HOURS", 0.99)]), &known),
            Tri::Yes
        );
        assert_eq!(
            anything_else(&page(&[("OPEN", 0.99), ("2x", 0.5)]), &known),
            Tri::Maybe
        );
        assert_eq!(anything_else(&page(&[]), &[]), Tri::No);
    }
}
