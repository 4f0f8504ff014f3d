use proptest::prelude::*;

use super::*;
use crate::answers::{Ends, GenAnswer, UndAnswer};
use crate::facts::FactKind;

fn grade(value: u8) -> Grade {
    Grade::new(value).expect("0..=5")
}

fn fact(dataset: &str, image_id: u64, kind: FactKind, g: u8, u: u8) -> FactScore {
    FactScore {
        id: String::new(),
        dataset: dataset.into(),
        image_id,
        kind,
        matched: Some(true),
        generation: GenScore::Graded { grade: grade(g) },
        understanding: UndScore::Graded { grade: grade(u) },
    }
}

/// E2 of the specification of XTC-Bench: (g, u) -> (c, aw, quadrant).
#[test]
fn single_facts() {
    use Quadrant::{
        AlignedCompetence, AlignedHallucination, GenerationDominant, UnderstandingDominant,
    };
    for (g, u, ccta, aw_ccta, quadrant) in [
        (5, 5, 1.0, 1.0, AlignedCompetence),
        (0, 0, 1.0, 0.0, AlignedHallucination),
        (5, 0, 0.0, 0.0, GenerationDominant),
        (3, 3, 1.0, 0.6, AlignedCompetence),
        (4, 2, 0.6, 0.36, GenerationDominant),
        (2, 4, 0.6, 0.36, UnderstandingDominant),
    ] {
        let mut table = GradeTable::default();
        table.add(grade(g), grade(u));
        let found = table.consistency(0.6).unwrap();
        assert_eq!((found.ccta, found.aw_ccta), (ccta, aw_ccta), "{g} {u}");
        assert_eq!(Quadrant::of(grade(g), grade(u), 0.6), quadrant);
        assert_eq!(found.quadrants.share(quadrant), Some(1.0));
        let aligned = matches!(quadrant, AlignedCompetence | AlignedHallucination);
        assert_eq!(found.integrity.is_some(), aligned);
    }
    assert_eq!(GradeTable::default().consistency(0.6), None);
    assert_eq!(Quadrants::default().share(AlignedCompetence), None);
    assert_eq!(Grade::new(6), None);
}

#[test]
fn each_status_counts_as_it_should() {
    let base = fact("d", 1, FactKind::Object, 4, 2);
    let value = |f: &FactScore, variant, missing_u| {
        let policy = MetricPolicy {
            missing_u,
            ..MetricPolicy::default()
        };
        graded(f, variant, policy).map(|(g, u)| (g.get(), u.get()))
    };
    let with_u = |understanding| FactScore {
        understanding,
        ..base.clone()
    };
    let (drop, zero) = (MissingU::Drop, MissingU::Zero);
    let failed = with_u(UndScore::ModelError);
    assert_eq!(
        value(&failed, Variant::Raw, drop),
        Err(Dropped::UnderstandingFailed)
    );
    assert_eq!(value(&failed, Variant::Raw, zero), Ok((4, 0)));
    for (score, reason) in [
        (UndScore::NoImage, Dropped::UnderstandingNoImage),
        (UndScore::Unjudged, Dropped::UnderstandingUnjudged),
        (UndScore::Absent, Dropped::UnderstandingAbsent),
    ] {
        // No policy turns a failure of the judge or of the data into a score.
        assert_eq!(value(&with_u(score), Variant::Raw, zero), Err(reason));
    }
    let with = |generation, matched| FactScore {
        generation,
        matched,
        ..base.clone()
    };
    let answer = GenAnswer::Unmatched { ends: Ends::Node };
    let missing = with(GenScore::NoAnswer { answer }, Some(false));
    assert_eq!(value(&missing, Variant::Raw, drop), Ok((0, 2)));
    assert_eq!(value(&missing, Variant::ZeroUnmatched, drop), Ok((0, 2)));
    assert_eq!(
        value(&missing, Variant::MatchedOnly, drop),
        Err(Dropped::Unmatched)
    );
    let unjudged = with(GenScore::Unjudged, Some(true));
    assert_eq!(
        value(&unjudged, Variant::ZeroUnmatched, zero),
        Err(Dropped::GenerationUnjudged)
    );
    let unknown = with(GenScore::Graded { grade: grade(4) }, None);
    assert_eq!(value(&unknown, Variant::Raw, drop), Ok((4, 2)));
    assert_eq!(
        value(&unknown, Variant::ZeroUnmatched, drop),
        Err(Dropped::MatchUnknown)
    );
}

#[test]
fn scores_from_answers() {
    let found = || GenAnswer::Found { text: "red".into() };
    let graded = |g| GenScore::Graded { grade: grade(g) };
    assert_eq!(GenScore::of(found(), Some(grade(3))), graded(3));
    assert_eq!(GenScore::of(found(), None), GenScore::Unjudged);
    let lost = GenAnswer::LostNode {
        node: crate::scene::PredId::new(1),
    };
    assert_eq!(GenScore::of(lost, Some(grade(5))), GenScore::Absent);
    let missing = GenScore::of(GenAnswer::NoEdge, Some(grade(5)));
    assert_eq!(
        missing,
        GenScore::NoAnswer {
            answer: GenAnswer::NoEdge
        }
    );
    let failed = UndAnswer::of_released("ERROR: oom");
    assert_eq!(UndScore::of(&failed, Some(grade(5))), UndScore::ModelError);
    assert_eq!(UndScore::of(&UndAnswer::NotAsked, None), UndScore::Absent);
    assert_eq!(UndScore::of(&UndAnswer::NoImage, None), UndScore::NoImage);
    let said = UndAnswer::of_released("red");
    assert_eq!(UndScore::of(&said, None), UndScore::Unjudged);
    assert_eq!(
        UndScore::of(&said, Some(grade(2))),
        UndScore::Graded { grade: grade(2) }
    );
}

fn any_fact() -> impl Strategy<Value = FactScore> {
    let kind = prop::sample::select(FactKind::ALL.to_vec());
    (0..2_usize, 0..5_u64, kind, 0..6_u8, 0..6_u8, any::<bool>()).prop_map(
        |(dataset, image, kind, g, u, matched)| FactScore {
            matched: Some(matched),
            ..fact(["coco", "vg"][dataset], image, kind, g, u)
        },
    )
}

proptest! {
    /// Against the definitions, fact by fact.
    #[test]
    fn means_are_those_of_the_definitions(facts in prop::collection::vec(any_fact(), 1..40)) {
        let tally = Tally::new(&facts, Variant::ZeroUnmatched, MetricPolicy::default());
        let found = tally.consistency(None, None).unwrap();
        let scores: Vec<(f64, f64)> = facts
            .iter()
            .filter_map(|f| graded(f, Variant::ZeroUnmatched, MetricPolicy::default()).ok())
            .map(|(g, u)| (f64::from(g.get()) / 5.0, f64::from(u.get()) / 5.0))
            .collect();
        let mean = |of: &dyn Fn(f64, f64) -> f64| {
            scores.iter().map(|(g, u)| of(*g, *u)).sum::<f64>() / scores.len() as f64
        };
        let agree = |g: f64, u: f64| 1.0 - (g - u).abs();
        prop_assert!((found.ccta - mean(&agree)).abs() < 1e-12);
        prop_assert!((found.aw_ccta - mean(&|g, u| agree(g, u) * (g + u) / 2.0)).abs() < 1e-12);
        prop_assert!((found.gap() - mean(&|g, u| g - u)).abs() < 1e-12);
        // Parts add up to the whole.
        let parts: u64 = tally
            .datasets()
            .iter()
            .flat_map(|d| FactKind::ALL.map(|k| tally.table(Some(d), Some(k)).n()))
            .sum();
        prop_assert_eq!(parts, found.n);
        let expected = tally.chance(None, None).unwrap();
        prop_assert!((0.0..=1.0).contains(&expected.ccta));
        prop_assert!(expected.corrected.is_none_or(|c| c <= 1.0 + 1e-12));
    }
}

/// Two facts of one stratum have two permutations: the mean over both is the exact level.
#[test]
fn the_chance_level_by_hand() {
    let kind = FactKind::Attribute;
    let facts = [fact("d", 1, kind, 5, 5), fact("d", 2, kind, 0, 0)];
    let tally = Tally::new(&facts, Variant::Raw, MetricPolicy::default());
    let chance = tally.chance(None, None).unwrap();
    assert_eq!(
        (chance.ccta, chance.aw_ccta, chance.corrected),
        (0.5, 0.25, Some(1.0))
    );
    // In strata of their own nothing can be permuted: all agreement is by construction.
    let apart = [fact("d", 1, kind, 5, 5), fact("e", 2, kind, 0, 0)];
    let chance = Tally::new(&apart, Variant::Raw, MetricPolicy::default()).chance(None, None);
    assert_eq!(chance.map(|c| (c.ccta, c.corrected)), Some((1.0, None)));
    assert_eq!(tally.chance(Some("absent"), None), None);
}

#[test]
fn permutations_average_to_the_chance_level() {
    let facts: Vec<FactScore> = (0..60_u64)
        .map(|i| {
            let kind = FactKind::ALL[(i % 3) as usize];
            let dataset = if i % 2 == 0 { "coco" } else { "vg" };
            let g = (i / 6 % 6) as u8;
            fact(dataset, i, kind, g, (u64::from(g) + i % 4).min(5) as u8)
        })
        .collect();
    let tally = Tally::new(&facts, Variant::Raw, MetricPolicy::default());
    let test = chance_test(&tally, 1, 4000).unwrap();
    let mean = test.permuted.iter().sum::<f64>() / 4000.0;
    let level = tally.chance(None, None).unwrap().ccta;
    let square = test
        .permuted
        .iter()
        .map(|c| (c - mean).powi(2))
        .sum::<f64>()
        / 4000.0;
    let error = (square / 4000.0).sqrt();
    assert!((mean - level).abs() < 4.0 * error, "{mean} {level} {error}");
    assert!(test.p < 0.01, "{}", test.p);
    assert_eq!(chance_test(&tally, 1, 4000), Some(test));
    assert_eq!(chance_test(&tally, 1, 0), None);
}

#[test]
fn intervals_hold_the_estimate_and_shrink_with_images() {
    let facts = |images: u64| -> Vec<FactScore> {
        let one = |i: u64| {
            fact(
                "d",
                i / 3,
                FactKind::Object,
                (i * 5 % 6) as u8,
                (i * i % 6) as u8,
            )
        };
        (0..images * 3).map(one).collect()
    };
    let policy = MetricPolicy::default();
    let width = |images| {
        let facts = facts(images);
        let plan = IntervalPlan {
            draws: 400,
            ..IntervalPlan::default()
        };
        let found = intervals(&facts, Variant::Raw, policy, None, plan).unwrap();
        assert_eq!(found.images, images as usize);
        let estimate = Tally::new(&facts, Variant::Raw, policy)
            .consistency(None, None)
            .unwrap();
        let interval = found.aw_ccta.unwrap();
        assert!(interval.contains(estimate.aw_ccta));
        assert!(found.gap.unwrap().contains(estimate.gap()));
        interval.high - interval.low
    };
    assert!(width(200) < width(20));
    let none = intervals(&[], Variant::Raw, policy, None, IntervalPlan::default());
    assert!(none.is_err());
}

#[test]
fn correlations_over_models() {
    let row = |generation, understanding, aw_ccta| ModelRow {
        generation,
        understanding,
        ccta: 0.5,
        aw_ccta,
    };
    let rows = [row(0.1, 0.5, 0.05), row(0.5, 0.4, 0.3), row(0.7, 0.6, 0.5)];
    let found = correlations(&rows);
    assert_eq!(
        (found.n, found.generation, found.understanding),
        (3, Ok(1.0), Ok(0.5))
    );
    assert!(correlations(&rows[..1]).generation.is_err());
    assert_eq!(mean_row(&[]), None);
}

#[test]
fn what_a_data_set_holds() {
    use crate::scene::{
        AttributeRecord, Attributes, Bbox, CleanedBox, CleanedGraph, CleanedRelation, SegmentId,
    };
    let graph = |image_id, boxes, relations| CleanedGraph {
        image_id,
        file_name: String::new(),
        boxes: vec![
            CleanedBox {
                label: "dog".into(),
                bbox: Bbox::new(0.0, 0.0, 1.0, 1.0),
                segment: None,
            };
            boxes
        ],
        relations: vec![
            CleanedRelation {
                subject: 0,
                object: 1,
                no_relation: 0.1,
                predicates: vec![crate::scene::ScoredPredicate {
                    predicate: "on".into(),
                    score: 0.9,
                }],
            };
            relations
        ],
    };
    let record = |image_id, segment, keys: &[&str]| AttributeRecord {
        image_id,
        segment: SegmentId(segment),
        category: None,
        supercategory: None,
        attributes: Attributes::of(keys.iter().map(|k| (*k, vec!["x".to_owned()]))),
        reasoning: None,
    };
    let graphs = [graph(1, 4, 2), graph(2, 2, 1)];
    let records = [
        record(1, 5, &["a", "b", "c"]),
        record(1, 5, &["a", "b"]),
        record(2, 5, &["a"]),
        record(9, 1, &["a"]),
    ];
    let found = dataset_means(&graphs, &records).unwrap();
    let means = (
        found.images,
        found.objects,
        found.relations,
        found.attributes,
    );
    assert_eq!(means, (2, 3.0, 1.5, 1.5));
    assert_eq!(dataset_means(&[], &records), None);
}
