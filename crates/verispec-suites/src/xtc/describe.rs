//! Objects of an original picture in a few words, for the prompt that asks for a drawing of it.

use std::borrow::Cow;
use std::sync::Arc;

use serde_json::{Map, Value, json};
use verispec_graph::scene::{Attributes, Bbox};
use verispec_graph::vocabulary::clean_label;
use verispec_model::{Job, JudgeIdentity, Replies, Request, Step, Unjudged};

use super::ask::{Outcome, Prompt, object, settle};
use super::extract::{Picture, detail_view};

const PROMPT: Prompt = Prompt {
    protocol: "xtc-describe@1",
    words: include_str!("prompts/describe.txt"),
};

/// Longest description, characters: more is no noun phrase.
const LONGEST: usize = 200;

/// An object to be described.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribeItem {
    /// Its label.
    pub label: String,
    /// Where it is; `None` leaves it undescribed.
    pub bbox: Option<Bbox>,
    /// What is known of it.
    pub attributes: Attributes,
}

/// What became of a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Description {
    /// No settled reply yet.
    Pending,
    /// A noun phrase.
    Said(String),
    /// None: the prompt falls back on label and attributes.
    Failed(Unjudged),
    /// There is no view of the object.
    NoView,
}

/// The objects of one picture.
#[derive(Debug, Clone)]
pub struct DescribeJob {
    /// Name of the job inside the run.
    pub id: String,
    /// The picture.
    pub picture: Picture,
    /// The objects, in the order of the nodes.
    pub objects: Vec<DescribeItem>,
    /// Who describes.
    pub judge: Arc<JudgeIdentity>,
}

impl Job for DescribeJob {
    type Readings = Vec<Description>;

    fn id(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.id)
    }

    fn step(&self, replies: &dyn Replies) -> Step<Self::Readings> {
        let mut ask: Vec<Request> = vec![];
        let read = |item: &DescribeItem| {
            let Some(request) = self.request(item) else {
                return Description::NoView;
            };
            match settle(request, replies) {
                Outcome::Pending(request) => {
                    if !ask.contains(&request) {
                        ask.push(request);
                    }
                    Description::Pending
                }
                Outcome::Failed(why) => Description::Failed(why),
                Outcome::Said(text) => read(&text),
            }
        };
        let readings = self.objects.iter().map(read).collect();
        Step { ask, readings }
    }
}

impl DescribeJob {
    fn request(&self, item: &DescribeItem) -> Option<Request> {
        let (width, height) = (self.picture.width, self.picture.height);
        let view = detail_view(&self.picture, item.bbox?, (width, height))?;
        let known: Map<String, Value> = item
            .attributes
            .iter()
            .map(|(key, values)| (key.to_owned(), json!(values)))
            .collect();
        let data = json!({"object": clean_label(&item.label), "known": known});
        let schema = json!({
            "type": "object",
            "required": ["description"],
            "additionalProperties": false,
            "properties": {"description": {"type": "string"}},
        });
        Some(PROMPT.request(&self.judge, [view], &data, schema))
    }
}

/// One line, without what would end the sentence that it becomes part of.
fn read(reply: &str) -> Description {
    let value = object(reply).and_then(|text| serde_json::from_str::<Value>(text).ok());
    let said = value.as_ref().and_then(|v| v.get("description")?.as_str());
    let words: Vec<&str> = said.unwrap_or_default().split_whitespace().collect();
    let text = words.join(" ");
    let text = text
        .trim_end_matches(|c: char| ".!,;:".contains(c))
        .trim_end();
    if text.is_empty() || text.chars().count() > LONGEST {
        return Description::Failed(Unjudged::Unparsed);
    }
    Description::Said(text.to_owned())
}
