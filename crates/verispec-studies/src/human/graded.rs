//! What people's grades of some answers say about a judge's grades of all.

use serde::Serialize;
use verispec_stats::few_labels::Label;

use super::corrected::{distinct, means, percent};
use crate::estimate::Estimate;

/// An answer that the judge graded.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgedAnswer {
    /// Model under test.
    pub model: String,
    /// The judge's score, 0-1.
    pub score: f64,
}

/// What people say of one answer.
#[derive(Debug, Clone, PartialEq)]
pub struct HumanGrade {
    /// Place of the answer in the list.
    pub index: usize,
    /// Mean over people, 0-1.
    pub score: f64,
    /// The probability with which the answer was drawn, in (0, 1].
    pub inclusion: f64,
}

/// Mean scores of one model, or of all together, in percent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CorrectedGrades {
    /// Model; `None` for all.
    pub model: Option<String>,
    /// Answers that the judge graded.
    pub judged: usize,
    /// Of these: graded by people.
    pub labelled: usize,
    /// Mean by the judge, over all answers.
    pub judge: f64,
    /// Mean by people, weighted by inclusion.
    pub labels: Estimate,
    /// The judge's mean put right by people's grades (PPI++).
    pub ppi: Estimate,
    /// Mean distance of judge and people on the same answer, 0-1, weighted; `None` without a
    /// label.
    pub distance: Option<f64>,
}

/// All models together, then each that has a label.
#[must_use]
pub fn corrected_grades(
    judged: &[JudgedAnswer],
    labels: &[HumanGrade],
    level: f64,
) -> Vec<CorrectedGrades> {
    let models = distinct(labels.iter().map(|l| judged[l.index].model.as_str()));
    let each = models.into_iter().map(Some);
    std::iter::once(None)
        .chain(each)
        .map(|model| of_model(judged, labels, model, level))
        .collect()
}

fn of_model(
    judged: &[JudgedAnswer],
    labels: &[HumanGrade],
    model: Option<&str>,
    level: f64,
) -> CorrectedGrades {
    let mut places = vec![None; judged.len()];
    let mut scores = vec![];
    for (at, answer) in judged.iter().enumerate() {
        if model.is_none_or(|m| answer.model == m) {
            places[at] = Some(scores.len());
            scores.push(answer.score);
        }
    }
    let points: Vec<Label> = labels
        .iter()
        .filter_map(|l| {
            Some(Label {
                item: places[l.index]?,
                y: l.score,
                inclusion: l.inclusion,
            })
        })
        .collect();
    let (alone, ppi) = means(&scores, &points);
    let weight: f64 = points.iter().map(|p| 1.0 / p.inclusion).sum();
    let apart = |p: &Label| (scores[p.item] - p.y).abs() / p.inclusion;
    let distance = points.iter().map(apart).sum::<f64>() / weight;
    CorrectedGrades {
        model: model.map(ToOwned::to_owned),
        judged: scores.len(),
        labelled: points.len(),
        judge: 100.0 * scores.iter().sum::<f64>() / scores.len().max(1) as f64,
        labels: percent(alone, level),
        ppi: percent(ppi, level),
        distance: (!points.is_empty()).then_some(distance),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers() -> Vec<JudgedAnswer> {
        let one = |i: usize| JudgedAnswer {
            model: if i.is_multiple_of(2) { "a" } else { "b" }.to_owned(),
            score: f64::from(u8::try_from(i % 6).unwrap()) / 5.0,
        };
        (0..60).map(one).collect()
    }

    #[test]
    fn people_who_agree_leave_the_mean_where_it_is() {
        let judged = answers();
        let labels: Vec<HumanGrade> = (0..60)
            .map(|index| HumanGrade {
                index,
                score: judged[index].score,
                inclusion: 1.0,
            })
            .collect();
        let found = corrected_grades(&judged, &labels, 0.95);
        assert_eq!(found.len(), 3);
        for row in &found {
            assert!(
                (row.labels.value.unwrap() - row.judge).abs() < 1e-9,
                "{row:?}"
            );
            assert_eq!(row.distance, Some(0.0));
        }
        assert_eq!((found[0].judged, found[1].judged), (60, 30));
    }

    #[test]
    fn a_judge_that_is_too_kind_is_put_right() {
        let judged = answers();
        // People give a fifth less wherever they can, on a third of the answers.
        let labels: Vec<HumanGrade> = (0..60)
            .step_by(3)
            .map(|index| HumanGrade {
                index,
                score: (judged[index].score - 0.2).max(0.0),
                inclusion: 1.0 / 3.0,
            })
            .collect();
        let all = &corrected_grades(&judged, &labels, 0.95)[0];
        let right = judged.iter().map(|a| (a.score - 0.2).max(0.0)).sum::<f64>() / 60.0;
        assert!((all.judge - 50.0).abs() < 1e-9);
        let ppi = all.ppi.value.unwrap();
        assert!(
            (ppi - 100.0 * right).abs() < 100.0 * (0.5 - right),
            "{ppi} {right}"
        );
        let none = corrected_grades(&judged, &[], 0.95);
        assert_eq!((none[0].labelled, none[0].distance), (0, None));
        assert_eq!(none[0].labels.value, None);
    }
}
