//! The judge: types a question, measures what it needs, answers or abstains.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use serde_json::json;
use verispec_model::{Hash, ImagePart, ImageRole, Part, Reply, Request};

use crate::decide;
use crate::decode::decode;
use crate::detect::{self, Detector, Thing};
use crate::error::VisionError;
use crate::geometry::{self, Scene};
use crate::install::{detector_installed, weights_installed};
use crate::ocr::compare::{self, Folding};
use crate::ocr::{Ocr, Page};
use crate::question::{self, ObjectQuestion, Question, TextQuestion};
use crate::tri::{All, Tri};

/// Images whose analysis is kept; an analysis is some kilobytes.
const KEPT: usize = 32;

/// What the judge says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Measured to hold.
    Yes,
    /// Measured not to hold.
    No,
    /// Not a question for this judge, or not measurable here.
    Abstain,
}

impl Verdict {
    /// `Yes`, `No` or `Abstain`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "Yes",
            Self::No => "No",
            Self::Abstain => "Abstain",
        }
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltinAnswer {
    /// The verdict.
    pub verdict: Verdict,
    /// Mean probability, 0..=1, that the recogniser gave to the characters that decided, or the
    /// detector to the object that did; `None` where nothing of the kind was measured, as for
    /// everything that is absent.
    pub confidence: Option<f64>,
    /// What was measured, or why nothing is said; one line for people.
    pub why: String,
}

impl BuiltinAnswer {
    fn abstain(why: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Abstain,
            confidence: None,
            why: why.into(),
        }
    }

    fn of(truth: Tri, confidence: Option<f64>, why: String) -> Self {
        match truth {
            Tri::Yes => Self {
                verdict: Verdict::Yes,
                confidence,
                why,
            },
            Tri::No => Self {
                verdict: Verdict::No,
                confidence,
                why,
            },
            Tri::Maybe => Self::abstain(format!("cannot tell: {why}")),
        }
    }
}

/// The builtin judge. It can be shared between threads; each image is analysed once while it is
/// among the last 32 that were asked about.
pub struct Builtin {
    ocr: Option<Ocr>,
    detector: Option<Detector>,
    recent: Mutex<VecDeque<(Hash, Arc<Analysis>)>>,
}

/// What is known about one image.
#[derive(Default)]
struct Analysis {
    scene: OnceLock<Result<Scene, String>>,
    page: Mutex<Option<Arc<Page>>>,
    things: Mutex<Option<Arc<Vec<Thing>>>>,
}

/// Gives the bytes of the image, when they are needed.
type Load<'a> = &'a dyn Fn() -> Result<Vec<u8>, VisionError>;

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builtin")
            .field("reads_text", &self.reads_text())
            .field("finds_objects", &self.finds_objects())
            .finish_non_exhaustive()
    }
}

impl Builtin {
    /// Makes a judge. `weights` is the folder that [`crate::install_weights`] filled, with the
    /// weights for reading text, the detector of objects, or both; questions that need what is not
    /// there are abstained from.
    ///
    /// # Errors
    /// If the folder holds neither of them whole, or a file does not load.
    pub fn new(weights: Option<&Path>) -> Result<Self, VisionError> {
        let detects = weights.filter(|dir| detector_installed(dir));
        let reads = weights.filter(|dir| detects.is_none() || weights_installed(dir));
        Ok(Self {
            ocr: reads.map(Ocr::load).transpose()?,
            detector: detects.map(Detector::load).transpose()?,
            recent: Mutex::default(),
        })
    }

    /// Whether OCR weights are loaded.
    #[must_use]
    pub const fn reads_text(&self) -> bool {
        self.ocr.is_some()
    }

    /// Whether the detector of objects is loaded.
    #[must_use]
    pub const fn finds_objects(&self) -> bool {
        self.detector.is_some()
    }

    /// Answers a question about an encoded image. `key` identifies the image's content.
    ///
    /// # Errors
    /// If the image does not decode or a network fails to run. A failure is never an answer.
    pub fn answer(
        &self,
        image: &[u8],
        key: Hash,
        question: &str,
    ) -> Result<BuiltinAnswer, VisionError> {
        self.answer_lazily(&|| Ok(image.to_vec()), key, question)
    }

    fn answer_lazily(
        &self,
        load: Load<'_>,
        key: Hash,
        question: &str,
    ) -> Result<BuiltinAnswer, VisionError> {
        let Some(typed) = question::parse(question) else {
            let asked = question::parse_objects(question);
            return match (&self.detector, asked) {
                (Some(detector), Some(asked)) => {
                    about_objects(&self.analysis(key), detector, load, &asked)
                }
                _ => Ok(BuiltinAnswer::abstain("no specialist for this question")),
            };
        };
        match &typed.question {
            Question::Figures(asked) => {
                let analysis = self.analysis(key);
                Ok(match scene(&analysis, load)? {
                    Err(why) => BuiltinAnswer::abstain(why.clone()),
                    Ok(scene) => {
                        let (truth, why) = decide::figures(scene, asked);
                        BuiltinAnswer::of(truth.flip_if(typed.negated), None, why)
                    }
                })
            }
            Question::Text(asked) => {
                let Some(ocr) = &self.ocr else {
                    let why = "no weights for reading text: see `verispec models install`";
                    return Ok(BuiltinAnswer::abstain(why));
                };
                let page = page(&self.analysis(key), ocr, load)?;
                let (truth, confidence, why) = about_text(&page, asked);
                Ok(BuiltinAnswer::of(
                    truth.flip_if(typed.negated),
                    confidence,
                    why,
                ))
            }
        }
    }

    /// Answers the questions of a request about its output image, as text that the reply reader
    /// reads: a JSON list of `{"id", "answer", "reason"}` in the order of the questions, `answer`
    /// being `Yes`, `No` or `Abstain`.
    ///
    /// Everything is abstained from if the request has no output image or several.
    ///
    /// # Errors
    /// If the image cannot be loaded or decoded, or a network fails to run.
    pub fn reply(
        &self,
        request: &Request,
        load: &dyn Fn(&ImagePart) -> Result<Vec<u8>, String>,
    ) -> Result<Reply, VisionError> {
        let outputs: Vec<&ImagePart> = request.parts.iter().filter_map(output).collect();
        let mut items = Vec::with_capacity(request.questions.len());
        for question in &request.questions {
            let answer = match outputs.as_slice() {
                [image] => {
                    let bytes = || load(image).map_err(VisionError::Load);
                    self.answer_lazily(&bytes, image.source, &question.text)?
                }
                [] => BuiltinAnswer::abstain("the request has no output image"),
                _ => BuiltinAnswer::abstain("the request has several output images"),
            };
            items.push(json!({
                "id": question.id,
                "answer": answer.verdict.as_str(),
                "reason": answer.why,
            }));
        }
        Ok(Reply::text(serde_json::Value::Array(items).to_string()))
    }

    /// The analysis of an image: the one kept, or a new empty one.
    fn analysis(&self, key: Hash) -> Arc<Analysis> {
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = match recent.iter().position(|(k, _)| *k == key) {
            Some(at) => recent.remove(at),
            None => None,
        };
        let entry = entry.unwrap_or_else(|| (key, Arc::default()));
        let analysis = Arc::clone(&entry.1);
        recent.push_back(entry);
        if recent.len() > KEPT {
            recent.pop_front();
        }
        analysis
    }
}

fn output(part: &Part) -> Option<&ImagePart> {
    match part {
        Part::Image(image) if image.role == ImageRole::Output => Some(image),
        _ => None,
    }
}

fn scene<'a>(
    analysis: &'a Analysis,
    load: Load<'_>,
) -> Result<&'a Result<Scene, String>, VisionError> {
    if let Some(scene) = analysis.scene.get() {
        return Ok(scene);
    }
    let image = decode(&load()?)?;
    Ok(analysis.scene.get_or_init(|| geometry::analyse(&image)))
}

/// The text of an image. The lock is held while reading, so that an image that several threads
/// ask about is read once.
fn page(analysis: &Analysis, ocr: &Ocr, load: Load<'_>) -> Result<Arc<Page>, VisionError> {
    let mut slot = analysis.page.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(page) = slot.as_ref() {
        return Ok(Arc::clone(page));
    }
    let page = Arc::new(ocr.read(&decode(&load()?)?)?);
    *slot = Some(Arc::clone(&page));
    Ok(page)
}

/// What may be a thing in an image; the lock is held while looking, as in [`page`].
fn things(
    analysis: &Analysis,
    detector: &Detector,
    load: Load<'_>,
) -> Result<Arc<Vec<Thing>>, VisionError> {
    let mut slot = analysis
        .things
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    if let Some(things) = slot.as_ref() {
        return Ok(Arc::clone(things));
    }
    let things = Arc::new(detector.look(&decode(&load()?)?)?);
    *slot = Some(Arc::clone(&things));
    Ok(things)
}

/// Drawings of flat areas are left alone: the network was taught photographs, and takes a plain
/// circle for a frisbee with a high score.
fn about_objects(
    analysis: &Analysis,
    detector: &Detector,
    load: Load<'_>,
    asked: &ObjectQuestion,
) -> Result<BuiltinAnswer, VisionError> {
    if scene(analysis, load)?.is_ok() {
        let why = "a drawing of flat areas: objects are found in photographs alone";
        return Ok(BuiltinAnswer::abstain(why));
    }
    let found = things(analysis, detector, load)?;
    let (truth, confidence, why) = detect::answer::counts(&found, &asked.wanted);
    let truth = truth.flip_if(asked.negated);
    Ok(BuiltinAnswer::of(truth, confidence, why))
}

fn about_text(page: &Page, asked: &TextQuestion) -> (Tri, Option<f64>, String) {
    let read = listed(page);
    match asked {
        TextQuestion::Any => (compare::anything_else(page, &[]), None, read),
        TextQuestion::Other(known) => (compare::anything_else(page, known), None, read),
        TextQuestion::Reads {
            texts,
            case,
            strict,
        } => {
            let fold = Folding {
                case: *case,
                strict: *strict,
            };
            let (mut all, mut why) = (All::new(), read);
            for text in texts {
                let found = compare::find(page, text, fold);
                all.add(found.there, found.confidence);
                if let Some(doubt) = found.doubt {
                    why = format!("{doubt}; {why}");
                }
            }
            (all.truth, all.confidence.map(f64::from), why)
        }
    }
}

/// What was read, for people.
fn listed(page: &Page) -> String {
    let lines: Vec<String> = page
        .lines
        .iter()
        .filter(|l| !l.text.is_empty())
        .map(|l| format!("{} ({:.2})", l.text, l.confidence))
        .collect();
    if lines.is_empty() {
        "no text was read".to_owned()
    } else {
        format!("read: {}", lines.join(", "))
    }
}
