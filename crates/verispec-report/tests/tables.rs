//! Terminal tables, as golden files.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;

use common::{context, golden, output, results, style, suite, table, warnings};
use verispec_model::score::{Counters, Policy, Scoring};
use verispec_report::*;

fn scores(options: &ScoreOptions, style: Style) -> String {
    render_scores(&table(), &context(), options, style).unwrap()
}

#[test]
fn scores_by_track_in_full_width() {
    let text = scores(&ScoreOptions::default(), Style::plain());
    golden("scores.txt", &text);
}

#[test]
fn scores_in_a_narrow_terminal_are_one_line_each() {
    let text = scores(&ScoreOptions::default(), style(60));
    golden("scores_narrow.txt", &text);
    let table: Vec<&str> = text.lines().take_while(|l| !l.starts_with('*')).collect();
    assert!(table.iter().all(|l| l.chars().count() <= 60), "{text}");
}

#[test]
fn scores_of_one_track_with_extra_columns() {
    let options = ScoreOptions {
        track: Some("t2i".into()),
        extras: true,
    };
    golden("scores_t2i_extras.txt", &scores(&options, style(100)));
    let unknown = ScoreOptions {
        track: Some("t3i".into()),
        extras: false,
    };
    let error = render_scores(&table(), &context(), &unknown, Style::plain()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no track `t3i` in suite `mini`; it has t2i, edit"
    );
}

#[test]
fn a_partial_run_says_so() {
    let mut context = context();
    context.partial = Some("--limit 5".into());
    let text = render_scores(&table(), &context, &ScoreOptions::default(), Style::plain()).unwrap();
    assert!(text.contains("partial   --limit 5: left out on purpose, not rankable"));
}

#[test]
fn colour_changes_no_letter() {
    let coloured = scores(
        &ScoreOptions::default(),
        Style {
            color: true,
            width: None,
        },
    );
    let plain = scores(&ScoreOptions::default(), Style::plain());
    assert!(!plain.contains('\u{1b}'));
    assert!(coloured.contains("\u{1b}["));
    let stripped: String = coloured
        .split('\u{1b}')
        .enumerate()
        .map(|(i, part)| match i {
            0 => part,
            _ => part.split_once('m').map_or(part, |(_, rest)| rest),
        })
        .collect();
    let trim = |s: &str| {
        s.lines()
            .map(|l| l.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(trim(&stripped), trim(&plain));
}

#[test]
fn ranks_with_reasons_for_those_that_have_none() {
    let rank = RankTable::build(&table(), &RankBy::Average, &[]).unwrap();
    assert_eq!(
        rank.rows.iter().map(|r| &r.model).collect::<Vec<_>>(),
        ["alpha", "beta"]
    );
    golden("rank.txt", &render_rank(&rank, &context(), Style::plain()));
    let track = RankTable::build(&table(), &RankBy::Track("edit".into()), &[]).unwrap();
    golden("rank_edit.txt", &render_rank(&track, &context(), style(80)));
}

fn published() -> Vec<ExternalRow> {
    vec![
        ExternalRow {
            name: "alpha".into(),
            group: "UMM".into(),
            values: vec![Some(90.0), Some(80.01)],
            score: Some(85.01),
            note: Some("stated average; its columns give 85.005".into()),
        },
        ExternalRow {
            name: "Painter".into(),
            group: String::new(),
            values: vec![Some(70.0), None],
            score: None,
            note: None,
        },
    ]
}

#[test]
fn published_rows_are_marked_and_need_board_scoring() {
    let error = RankTable::build(&table(), &RankBy::Average, &published()).unwrap_err();
    assert!(error.to_string().contains("--scoring board"), "{error}");

    let mut board = table();
    board.policy = Policy {
        scoring: Scoring::Board,
        ..Policy::default()
    };
    let rank = RankTable::build(&board, &RankBy::Average, &published()).unwrap();
    golden(
        "rank_published.txt",
        &render_rank(&rank, &context(), Style::plain()),
    );
    golden(
        "rank_published_narrow.txt",
        &render_rank(&rank, &context(), style(64)),
    );
    let own: Vec<_> = rank.rows.iter().filter(|r| r.model == "alpha").collect();
    assert_eq!(own.len(), 2, "an own and a published model of one name");
    assert_ne!(own[0].source, own[1].source);
}

#[test]
fn a_row_that_does_not_fit_is_refused() {
    let mut board = table();
    board.policy.scoring = Scoring::Board;
    let mut rows = published();
    rows[1].values.push(None);
    let error = RankTable::build(&board, &RankBy::Average, &rows).unwrap_err();
    assert_eq!(
        error.to_string(),
        "row `Painter` has 3 values, the table has 2 columns (t2i, edit)"
    );
}

#[test]
fn show_one_instance() {
    let (results, suite, table) = (results(), suite(), table());
    let all = views(&results, Some(&suite), &table, output);
    let order: Vec<String> = all
        .iter()
        .map(|v| format!("{}/{}/{}", v.track, v.id, v.model))
        .collect();
    assert_eq!(order[..3], ["t2i/c1/alpha", "t2i/c1/beta", "t2i/c1/gamma"]);
    assert_eq!(order.last().unwrap(), "edit/s1/beta");
    let shown: Vec<String> = all
        .iter()
        .map(|v| render_show(v, &context(), style(100)))
        .collect();
    golden("show.txt", &shown.join("\n=====\n\n"));
    assert!(shown.iter().all(|s| !s.contains('\u{1b}')));
    let bare = views(&results, None, &table, |_, _, _| vec![]);
    assert!(render_show(&bare[0], &context(), Style::plain()).contains("not at hand"));
}

#[test]
fn inspection_with_warnings() {
    let counts = |instances, specifications, expected_no| SuiteCounts {
        instances,
        specifications,
        mean: Some(14.666_666),
        min: 4,
        max: 31,
        expected_no,
        images: 1454,
        always_yes: Some(98.994),
        always_no: None,
    };
    let inspection = Inspection {
        suite: "mini".into(),
        root: "data".into(),
        revision: "3f2a9c1b7d04".into(),
        tracks: vec![InspectTrack {
            track: "t2i".into(),
            counts: counts(1200, 17_604, 177),
            dimensions: vec![InspectDimension {
                dimension: "composition".into(),
                counts: counts(40, 600, 0),
            }],
        }],
        total: counts(1200, 17_604, 177),
        warnings: warnings(),
    };
    golden(
        "inspect.txt",
        &render_inspect(&inspection, false, Style::plain()),
    );
    let all = render_warnings(&warnings(), true, Style::plain());
    assert!(all.contains("c5.json#3") && !all.contains("--all"));
}

#[test]
fn check_before_any_call() {
    let report = CheckReport {
        suite: "mini".into(),
        revision: None,
        inputs: MissingInputs {
            expected: 1454,
            missing: 1454,
            instances: 880,
            by_track: vec![("edit".into(), 200)],
            command: Some("verispec suite fetch specv".into()),
        },
        outputs: ["t2i", "edit"]
            .map(|track| CheckRow {
                model: "alpha".into(),
                track: track.into(),
                expected: 200,
                matched: 198,
                missing: 2,
                unreadable: 0,
                unmatched: 1,
            })
            .to_vec(),
        problems: vec![CheckProblem {
            kind: "unmatched".into(),
            model: "alpha".into(),
            place: "t2i/alpha/comp_hard_01.png".into(),
            message: "no instance of this name".into(),
            nearest: Some("comp_hard_001".into()),
        }],
        price: Some(CheckPrice {
            money: None,
            judge: Some("openai/judge-1 temperature=0.1".into()),
            protocol: Some("whole@1".into()),
            calls: 396,
            calls_at_most: Some(792),
            reused: 4,
            bytes: 734_003_200,
            tokens: Some(1_250_000),
            tokens_note: Some("4 characters a token, 258 a tile".into()),
        }),
    };
    golden("check.txt", &render_check(&report, false, Style::plain()));
    let healthy = CheckReport {
        suite: "mini".into(),
        inputs: MissingInputs {
            expected: 12,
            ..MissingInputs::default()
        },
        ..CheckReport::default()
    };
    assert_eq!(
        render_check(&healthy, false, Style::plain()),
        "suite    mini\ninputs   12 reference images, all there\n"
    );
}

#[test]
fn run_summary() {
    let mut counters = Counters::default();
    for model in &table().models {
        counters += &model.counters;
    }
    let summary = RunSummary {
        cost: None,
        run: "2026-01-02-alpha".into(),
        folder: "runs/2026-01-02-alpha".into(),
        calls: 1210,
        retries: 10,
        reused: 40,
        answered: 1190,
        failed: 8,
        pending: 2,
        errors: vec![("rate-limit".into(), 10)],
        tokens: Tokens {
            input: 1_234_567,
            cached: 200_000,
            output: 98_765,
            reasoning: 0,
            unknown: 3,
        },
        seconds: 185.0,
        counters,
        exit: 3,
        next: vec!["verispec run --resume runs/2026-01-02-alpha".into()],
    };
    golden("run.txt", &render_run(&summary, style(90)));
}

/// What all were made with stands once; models without a place are named by reason.
#[test]
fn several_rankings_under_one_footer() {
    let table = table();
    let all = [
        RankBy::Average,
        RankBy::Track("t2i".into()),
        RankBy::Track("edit".into()),
    ];
    let ranks = all.map(|by| RankTable::build(&table, &by, &[]).unwrap());
    let text = render_ranks(&ranks, &context(), Style::plain());
    golden("ranks.txt", &text);
    assert_eq!(text.matches("policy    ").count(), 1);
    assert_eq!(text.matches("Ranked by").count(), 3);
    // In a narrow terminal it is said once that single values are left out.
    let narrow = render_ranks(&ranks, &context(), style(50));
    assert_eq!(narrow.matches("too narrow").count(), 1, "{narrow}");
    let one = render_ranks(&ranks[..1], &context(), Style::plain());
    assert_eq!(one, render_rank(&ranks[0], &context(), Style::plain()));
}

/// Where nobody can be ranked by anything, the first ranking says of everybody why.
#[test]
fn nobody_without_a_place_is_named_twice() {
    let mut table = table();
    table.models.retain(|m| m.model == "gamma");
    let all = [RankBy::Average, RankBy::Track("t2i".into())];
    let ranks = all.map(|by| RankTable::build(&table, &by, &[]).unwrap());
    let text = render_ranks(&ranks, &context(), Style::plain());
    assert!(text.starts_with("Nobody can be ranked by average\nnot ranked: gamma ("));
    assert!(text.contains("\nnor by t2i\n\npolicy"), "{text}");
    assert_eq!(text.matches("gamma").count(), 1, "{text}");
}
