//! Fenced blocks of a document, and the commands in them.

/// A shell block.
#[derive(Debug)]
pub(super) struct Block {
    /// Why it is not run.
    pub(super) not_run: Option<String>,
    pub(super) commands: Vec<Line>,
}

/// One command, continued lines joined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// Line of the document, from 1.
    pub(super) at: usize,
    /// What is typed, without its comment.
    pub(super) text: String,
    pub(super) end: End,
}

/// How a command ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Exit(i32),
    /// It serves until it is interrupted.
    Interrupted,
}

struct Fenced<'a> {
    info: &'a str,
    lines: Vec<(usize, &'a str)>,
}

fn fenced(document: &str) -> Vec<Fenced<'_>> {
    let (mut found, mut inside) = (vec![], false);
    for (i, line) in document.lines().enumerate() {
        match line.trim_start().strip_prefix("```") {
            Some(_) if inside => inside = false,
            Some(info) => {
                inside = true;
                found.push(Fenced {
                    info: info.trim(),
                    lines: vec![],
                });
            }
            None if inside => {
                if let Some(last) = found.last_mut() {
                    last.lines.push((i + 1, line));
                }
            }
            None => {}
        }
    }
    found
}

/// Texts of the blocks of a kind.
pub(super) fn of_kind(document: &str, kind: &str) -> Vec<String> {
    let text = |f: &Fenced<'_>| f.lines.iter().map(|(_, l)| format!("{l}\n")).collect();
    let found = fenced(document);
    found.iter().filter(|f| f.info == kind).map(text).collect()
}

/// Shell blocks of a document.
pub(super) fn blocks(document: &str) -> Vec<Block> {
    let found = fenced(document);
    let shell = found.iter().filter_map(|f| {
        let rest = f.info.strip_prefix("sh")?;
        let not_run = match rest {
            "" => None,
            _ => Some(rest.strip_prefix(" no-run: ")?.to_owned()),
        };
        Some(Block {
            not_run,
            commands: commands(&f.lines),
        })
    });
    shell.collect()
}

/// Lines in other blocks that look like commands.
pub(super) fn hidden(document: &str) -> Vec<&str> {
    let other = |f: &&Fenced<'_>| f.info != "sh" && !f.info.starts_with("sh no-run: ");
    let found = fenced(document);
    let lines = found.iter().filter(other).flat_map(|f| f.lines.clone());
    let starts = ["verispec ", "$ ", "cargo ", "pip "];
    lines
        .map(|(_, line)| line)
        .filter(|line| starts.iter().any(|s| line.starts_with(s)))
        .collect()
}

fn commands(lines: &[(usize, &str)]) -> Vec<Line> {
    let mut found: Vec<Line> = vec![];
    let mut open: Option<(usize, String)> = None;
    for (at, line) in lines {
        let (at, text) = match open.take() {
            Some((at, text)) => (at, text + line.trim_start()),
            None => (*at, (*line).to_owned()),
        };
        match text.strip_suffix('\\') {
            Some(start) => open = Some((at, start.to_owned())),
            None => found.extend(command(at, &text)),
        }
    }
    assert!(open.is_none(), "a command that is not continued");
    found
}

fn command(at: usize, line: &str) -> Option<Line> {
    let (text, comment) = match line
        .find(" #")
        .or_else(|| line.starts_with('#').then_some(0))
    {
        Some(place) => line.split_at(place),
        None => (line, ""),
    };
    let text = text.trim();
    let comment = comment.trim_start_matches([' ', '#']);
    let code = comment.strip_prefix("exit ").map(|rest| {
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().expect("an exit code")
    });
    let end = match code {
        Some(code) => End::Exit(code),
        None if comment.contains("until Ctrl-C") || comment.contains("直到 Ctrl-C") => {
            End::Interrupted
        }
        None => End::Exit(0),
    };
    (!text.is_empty()).then(|| Line {
        at,
        text: text.to_owned(),
        end,
    })
}

#[test]
fn commands_are_found_with_their_ends() {
    let document = "text\n```sh\n# a comment\na b \\\n    c   # why\nd '#1'  # exit 4: lost\n```\n\
                    ```text\nverispec x\n```\n```sh no-run: network\ne   # until Ctrl-C\n```\n";
    let found = blocks(document);
    let line = |at, text: &str, end| Line {
        at,
        text: text.to_owned(),
        end,
    };
    assert_eq!(
        found[0].commands,
        [
            line(4, "a b c", End::Exit(0)),
            line(6, "d '#1'", End::Exit(4))
        ]
    );
    assert_eq!(found[1].not_run.as_deref(), Some("network"));
    assert_eq!(found[1].commands, [line(12, "e", End::Interrupted)]);
    assert_eq!(hidden(document), ["verispec x"]);
}
