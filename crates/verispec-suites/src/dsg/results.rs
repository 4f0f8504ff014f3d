//! From a judge's answers to results that every score and study takes.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;
use verispec_judge::reader::read_single;
use verispec_model::{
    DataFailure, DimensionResults, InstanceResult, InstanceState, Measure, ModelResults, Origin,
    Provenance, ReadStage, Reading, Results, SpecId, SpecResult, SpecRules, Specification,
    TrackResults, Unjudged, YesNo,
};

use super::answers::{AnswerFile, AnswerRow, QuestionSet};
use super::error::DsgError;
use super::load::Dataset;

/// How answers are read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AnswerReader {
    /// The reply reader: what says neither yes nor no is unjudged.
    #[default]
    Default,
    /// The released rule: exactly `yes` is yes, everything else is no, an empty answer too.
    Published,
}

/// What an answer says, and the stage of the reader that found it.
#[must_use]
pub fn read_answer(answer: &str, id: SpecId, reader: AnswerReader) -> (Reading, Option<ReadStage>) {
    match reader {
        AnswerReader::Published if answer == "yes" => (Reading::yes_no(YesNo::Yes), None),
        AnswerReader::Published => (Reading::yes_no(YesNo::No), None),
        AnswerReader::Default => {
            let read = read_single(answer, id);
            (read.item.reading, read.stage)
        }
    }
}

impl Dataset {
    /// One judge's verdicts as results: tracks `dsg` and `vq2a` (TIFA's questions have no answer
    /// key), dimensions = sources of prompts, instances = items. `split` keeps one source alone,
    /// for instance `tifa160`, which people rated.
    ///
    /// An item that a file asks of no model is unjudgeable, one that it lacks for one model alone
    /// is pending. A track in which a model lacks sources that another one has is partial.
    ///
    /// # Errors
    /// [`DsgError::UnknownJudge`].
    pub fn results(
        &self,
        judge: &str,
        reader: AnswerReader,
        split: Option<&str>,
    ) -> Result<Results, DsgError> {
        let files: Vec<&AnswerFile> = [QuestionSet::Dsg, QuestionSet::Vq2a]
            .into_iter()
            .filter_map(|set| self.file(judge, set))
            .collect();
        if files.is_empty() {
            return Err(DsgError::UnknownJudge {
                wanted: judge.to_owned(),
                judges: self.judges().into_iter().map(str::to_owned).collect(),
            });
        }
        let mut models: BTreeMap<String, Vec<TrackResults>> = BTreeMap::new();
        for file in &files {
            for (model, track) in self.track(file, reader, split) {
                models.entry(model).or_default().push(track);
            }
        }
        Ok(Results {
            suite: "dsg".to_owned(),
            all_tracks: files.iter().map(|f| f.questions.as_str().into()).collect(),
            models: models
                .into_iter()
                .map(|(model, tracks)| ModelResults { model, tracks })
                .collect(),
            measure: Measure::Specifications,
            warnings: self.warnings.clone(),
        })
    }

    fn track(
        &self,
        file: &AnswerFile,
        reader: AnswerReader,
        split: Option<&str>,
    ) -> Vec<(String, TrackResults)> {
        let expected = self.expected(file, split);
        let answers = answers_by_output(file);
        let models: BTreeSet<&str> = file.rows.iter().map(|r| r.model.as_str()).collect();
        models
            .into_iter()
            .map(|model| {
                let dimensions: Vec<DimensionResults> = expected
                    .iter()
                    .filter_map(|(name, items)| dimension(model, name, items, &answers, reader))
                    .collect();
                let track = TrackResults {
                    track: file.questions.as_str().to_owned(),
                    partial: dimensions.len() < expected.len(),
                    dimensions,
                };
                (model.to_owned(), track)
            })
            .filter(|(_, track)| !track.dimensions.is_empty())
            .collect()
    }

    /// Items that the models should have, by source of prompts.
    fn expected(&self, file: &AnswerFile, split: Option<&str>) -> BTreeMap<String, Items> {
        let mut expected: BTreeMap<String, Items> = BTreeMap::new();
        let mut split_of: HashMap<&str, &str> = HashMap::new();
        let wanted = |row: &&AnswerRow| split.is_none_or(|s| s == row.split);
        for row in file.rows.iter().filter(wanted) {
            split_of.insert(source(&row.item), &row.split);
            let items = expected.entry(row.split.clone()).or_default();
            let item = items.entry(row.item.clone()).or_default();
            item.asked = true;
            if file.questions == QuestionSet::Vq2a {
                item.add(plain(row));
            }
        }
        if file.questions == QuestionSet::Dsg {
            for (id, prompt) in &self.annotations.prompts {
                // A source that the file does not have at all is not expected either.
                if let Some(split) = split_of.get(source(id)) {
                    let items = expected.entry((*split).to_owned()).or_default();
                    items.entry(id.clone()).or_default().specifications =
                        prompt.specifications.clone();
                }
            }
        }
        expected
    }
}

/// Items of one source of prompts by id.
type Items = BTreeMap<String, Item>;

#[derive(Default)]
struct Item {
    specifications: Vec<Specification>,
    /// Some model's output was judged.
    asked: bool,
}

impl Item {
    fn add(&mut self, spec: Specification) {
        if self.specifications.iter().all(|s| s.id != spec.id) {
            self.specifications.push(spec);
        }
    }
}

/// Item ids are `<source>_<number>`.
fn source(item: &str) -> &str {
    item.rsplit_once('_').map_or(item, |(source, _)| source)
}

/// A question that only the answers know.
fn plain(row: &AnswerRow) -> Specification {
    let record = [("question".to_owned(), Value::String(row.question.clone()))];
    Specification {
        id: row.id,
        question: row.question.clone(),
        category: String::new(),
        subcategory: String::new(),
        expected: YesNo::Yes,
        rating: None,
        rules: SpecRules::default(),
        record: record.into_iter().collect::<serde_json::Map<_, _>>().into(),
    }
}

/// Model and item to label to answer.
type Answers<'a> = HashMap<(&'a str, &'a str), HashMap<SpecId, &'a AnswerRow>>;

fn answers_by_output(file: &AnswerFile) -> Answers<'_> {
    let mut answers = Answers::new();
    for row in &file.rows {
        let output = answers.entry((&row.model, &row.item)).or_default();
        output.insert(row.id, row);
    }
    answers
}

/// One model's results on one source of prompts; `None` where it has no answer there.
fn dimension(
    model: &str,
    name: &str,
    items: &Items,
    answers: &Answers<'_>,
    reader: AnswerReader,
) -> Option<DimensionResults> {
    let mut known = false;
    let mut instances = vec![];
    for (id, item) in items {
        let given = answers.get(&(model, id));
        known |= given.is_some();
        let one = |spec: &Specification| {
            let row = given.and_then(|rows| rows.get(&spec.id));
            result(spec, row.copied(), reader)
        };
        let state = if item.asked {
            InstanceState::Generated(item.specifications.iter().map(one).collect())
        } else {
            let why = DataFailure::Task("the judge was asked about no model's output".into());
            InstanceState::Unjudgeable(why, item.specifications.len())
        };
        instances.push(InstanceResult {
            id: id.clone(),
            state,
        });
    }
    known.then(|| DimensionResults {
        name: name.to_owned(),
        instances,
        folder_present: true,
    })
}

fn result(spec: &Specification, row: Option<&AnswerRow>, reader: AnswerReader) -> SpecResult {
    let pending = SpecResult::pending(spec.clone());
    let Some(row) = row else { return pending };
    let (reading, stage) = if row.contradicted && reader == AnswerReader::Default {
        (Reading::Unjudged(Unjudged::Conflict), None)
    } else {
        read_answer(&row.answer, row.id, reader)
    };
    SpecResult {
        reading: Some(reading),
        provenance: Provenance::from(Origin {
            stage,
            raw_answer: Some(Value::from(row.answer.as_str())),
            ..Origin::default()
        }),
        ..pending
    }
}
