//! From bundles and models to sheets of facts: every stage in order, by calls or by the ledger.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use verispec_graph::matching::EmbeddingTable;
use verispec_graph::metrics::{FactScore, ImageCoverage};
use verispec_graph::scene::ImageId;
use verispec_model::ImageRole;
use verispec_suites::xtc::{
    Answers, Bundle, DrawJob, Drawing, ExtractJob, Extraction, Gap, Generated, GeneratedGraph,
    GradeJob, GradeReading, ModelFacts, Said, Sheet, Start, UnderstandJob, UnderstandingImage,
    model_answers, model_graphs, model_pictures, pictures,
};

use super::driver::Driver;
use super::look::{Blind, Looker};
use super::manifest::{ModelEntry, RunSource, XtcManifest};
use super::vectors::Vectors;

/// Folder of pictures that programs drew, inside the run.
const PICTURES: &str = "pictures";

/// One image of one model with its grades.
pub(super) struct Graded {
    pub(super) sheet: Sheet,
    pub(super) grades: Vec<GradeReading>,
    /// The picture that the model drew.
    pub(super) picture: Option<PathBuf>,
}

/// One model on one data set.
pub(super) struct Tested {
    pub(super) model: String,
    pub(super) family: Option<String>,
    pub(super) bundle: usize,
    pub(super) images: BTreeMap<ImageId, Graded>,
}

/// A model's part of a data set while stages run.
struct Part<'m> {
    model: &'m str,
    entry: &'m ModelEntry,
    bundle: usize,
    pictures: BTreeMap<ImageId, PathBuf>,
    said: BTreeMap<ImageId, Vec<Said>>,
    generated: BTreeMap<ImageId, Generated>,
}

/// Everything a run reads and writes.
pub(super) struct Pipeline<'a> {
    pub(super) dir: &'a Path,
    pub(super) manifest: &'a XtcManifest,
    pub(super) source: &'a RunSource,
    pub(super) bundles: &'a [Bundle],
    pub(super) looker: Looker<'a>,
    pub(super) notes: Vec<String>,
}

impl Pipeline<'_> {
    /// All stages.
    pub(super) fn run(&mut self, driver: &mut Driver<'_>) -> anyhow::Result<Vec<Tested>> {
        let manifest = self.manifest;
        let mut parts = vec![];
        for (model, entry) in &manifest.models {
            for bundle in 0..self.bundles.len() {
                parts.push(Part {
                    model,
                    entry,
                    bundle,
                    pictures: BTreeMap::new(),
                    said: BTreeMap::new(),
                    generated: BTreeMap::new(),
                });
            }
        }
        self.draw(&mut parts, driver)?;
        self.find_pictures(&mut parts)?;
        self.understand(&mut parts, driver)?;
        self.extract(&mut parts, driver)?;
        let vectors = self.embed(&parts, driver)?;
        let mut tested = self.sheets(parts, &vectors)?;
        self.grade(&mut tested, driver)?;
        Ok(tested)
    }

    fn draw(&mut self, parts: &mut [Part<'_>], driver: &mut Driver<'_>) -> anyhow::Result<()> {
        let mut jobs = vec![];
        let mut places = vec![];
        for (at, part) in parts.iter().enumerate() {
            let Some(model) = &part.entry.draw else {
                continue;
            };
            let (bundle, model) = (&self.bundles[part.bundle], Arc::new(model.clone()));
            for (id, image) in &bundle.images {
                places.push((at, *id));
                jobs.push(DrawJob {
                    id: format!("draw/{}/{id}/{}", bundle.dataset, part.model),
                    prompt: image.prompt.clone(),
                    seed: self.source.seed.wrapping_add(*id),
                    model: model.clone(),
                });
            }
        }
        if jobs.is_empty() {
            return Ok(());
        }
        let drawn = driver.run("draw", &jobs)?;
        for ((at, id), drawing) in places.into_iter().zip(drawn) {
            let part = &mut parts[at];
            match drawing {
                Drawing::Pending => drop(part.generated.insert(id, Generated::Pending)),
                Drawing::Drawn(path) => self.keep(part, id, &path)?,
                Drawing::Failed(why) => {
                    self.notes
                        .push(format!("{}: image {id} was not drawn: {why}", part.model));
                }
                Drawing::Unheard(why) => {
                    let why = format!("{} was not heard: {why}", part.model);
                    self.notes.push(format!("image {id} was not drawn: {why}"));
                    part.generated.insert(id, Generated::Unknown { why });
                }
            }
        }
        Ok(())
    }

    /// Copies a picture into the run: what a program leaves in its own place may go.
    fn keep(&mut self, part: &mut Part<'_>, id: ImageId, path: &Path) -> anyhow::Result<()> {
        let folder = self.drawn(part);
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("png");
        let place = folder.join(format!("{id}.{ending}"));
        if place.is_file() {
            return Ok(());
        }
        if !path.is_file() {
            let why = format!("the picture {} has gone", path.display());
            self.notes
                .push(format!("{}: image {id}: {why}", part.model));
            part.generated.insert(id, Generated::Unknown { why });
            return Ok(());
        }
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let draft = folder.join(format!(".{id}.draft"));
        std::fs::copy(path, &draft).with_context(|| format!("cannot copy {}", path.display()))?;
        std::fs::rename(&draft, &place).with_context(|| format!("cannot write {}", place.display()))
    }

    fn drawn(&self, part: &Part<'_>) -> PathBuf {
        let name = verispec_model::file_name(part.model);
        let dataset = verispec_model::file_name(&self.bundles[part.bundle].dataset);
        self.dir.join(PICTURES).join(name).join(dataset)
    }

    fn find_pictures(&mut self, parts: &mut [Part<'_>]) -> anyhow::Result<()> {
        for part in parts {
            let folder = match &part.entry.draw {
                Some(_) => Some(self.drawn(part)),
                None => self
                    .folder(part)
                    .map(|root| model_pictures(root, part.model)),
            };
            let Some(folder) = folder.filter(|f| f.is_dir()) else {
                continue;
            };
            part.pictures = pictures(&folder)?.0;
        }
        Ok(())
    }

    fn folder<'p>(&self, part: &'p Part<'_>) -> Option<&'p Path> {
        let dataset = &self.bundles[part.bundle].dataset;
        part.entry.folders.get(dataset).map(PathBuf::as_path)
    }

    fn understand(
        &mut self,
        parts: &mut [Part<'_>],
        driver: &mut Driver<'_>,
    ) -> anyhow::Result<()> {
        let (mut jobs, mut places) = (vec![], vec![]);
        for (at, part) in parts.iter_mut().enumerate() {
            let bundle = &self.bundles[part.bundle];
            let Some(model) = &part.entry.ask else {
                let root = part.entry.folders.get(&bundle.dataset);
                let answers = match root {
                    Some(root) => model_answers(root, part.model, bundle, &mut self.notes)?,
                    None => Answers::new(),
                };
                part.said = from_file(bundle, &answers);
                continue;
            };
            let model = Arc::new(model.clone());
            for (id, image) in bundle.images.iter().filter(|(_, i)| !i.facts.is_empty()) {
                let (path, role) = match self.source.understanding {
                    UnderstandingImage::Original => {
                        (image.picture.as_deref(), ImageRole::Reference)
                    }
                    UnderstandingImage::Generated => {
                        if part.generated.get(id) == Some(&Generated::Pending) {
                            continue;
                        }
                        let drawn = part.pictures.get(id).map(PathBuf::as_path);
                        (drawn, ImageRole::Output)
                    }
                    UnderstandingImage::None => (None, ImageRole::Reference),
                };
                let look = |path| self.looker.look(*id, path, role, &mut self.notes).ok();
                let picture = path.and_then(look);
                if picture.is_none() && self.source.understanding != UnderstandingImage::None {
                    let answer = verispec_graph::answers::UndAnswer::NoImage;
                    part.said
                        .insert(*id, vec![Said::Known { answer }; image.facts.len()]);
                    continue;
                }
                places.push((at, *id));
                let facts = image.facts.iter();
                jobs.push(UnderstandJob {
                    id: format!("ask/{}/{id}/{}", bundle.dataset, part.model),
                    questions: facts
                        .map(|f| (f.key.target.kind(), f.question.clone()))
                        .collect(),
                    picture,
                    model: model.clone(),
                });
            }
        }
        if jobs.is_empty() {
            return Ok(());
        }
        for ((at, id), said) in places.into_iter().zip(driver.run("ask", &jobs)?) {
            parts[at]
                .said
                .insert(id, said.into_iter().map(Said::from).collect());
        }
        Ok(())
    }

    fn extract(&mut self, parts: &mut [Part<'_>], driver: &mut Driver<'_>) -> anyhow::Result<()> {
        let policy = self.source.options.scene;
        let extractor = self.source.extractor.clone().map(Arc::new);
        let (mut jobs, mut places) = (vec![], vec![]);
        for (at, part) in parts.iter_mut().enumerate() {
            let bundle = &self.bundles[part.bundle];
            let root = part.entry.folders.get(&bundle.dataset);
            let known = match root {
                Some(root) => model_graphs(root, part.model, &mut self.notes)?,
                None => BTreeMap::new(),
            };
            let undrawn = self.undrawn(part, known.is_empty());
            for id in bundle.images.keys() {
                if part.generated.contains_key(id) {
                    continue;
                }
                if let Some(graph) = known.get(id) {
                    let graph = GeneratedGraph::of_merged(graph, policy);
                    part.generated
                        .insert(*id, Generated::Graph(Box::new(graph)));
                    continue;
                }
                let picture = part.pictures.get(id).map(|path| {
                    let notes = &mut self.notes;
                    self.looker.look(*id, path, ImageRole::Output, notes)
                });
                let unknown = |why: &str| Generated::Unknown {
                    why: why.to_owned(),
                };
                let settled = match (picture, &extractor) {
                    (None, _) => undrawn.clone(),
                    (Some(Err(Blind::NoPicture(why))), _) => Generated::Unreadable { why },
                    (Some(Err(Blind::Unread(why))), _) => unknown(&why),
                    (Some(Ok(_)), None) => {
                        unknown("no graph among those of the model, and nobody to make one")
                    }
                    (Some(Ok(picture)), Some(extractor)) => {
                        places.push((at, *id));
                        jobs.push(ExtractJob {
                            id: format!("extract/{}/{id}/{}", bundle.dataset, part.model),
                            picture,
                            start: Start::Nothing,
                            judge: extractor.clone(),
                            policy: self.source.extract,
                        });
                        continue;
                    }
                };
                part.generated.insert(*id, settled);
            }
        }
        if jobs.is_empty() {
            return Ok(());
        }
        for ((at, id), read) in places.into_iter().zip(driver.run("extract", &jobs)?) {
            let generated = match read {
                Extraction::Pending => Generated::Pending,
                Extraction::Failed { stage, why } => {
                    let why = format!("{stage:?}: {why}").to_lowercase();
                    let model = parts[at].model;
                    self.notes
                        .push(format!("{model}: image {id} has no graph: {why}"));
                    Generated::Unknown { why }
                }
                Extraction::Done(done) => {
                    Generated::Graph(Box::new(GeneratedGraph::of_extracted(&done, policy)))
                }
            };
            parts[at].generated.insert(id, generated);
        }
        Ok(())
    }

    /// What an image without a picture is: not drawn, if the model drew others; else nobody asked
    /// it to draw, and what it would have drawn is not known.
    fn undrawn(&mut self, part: &Part<'_>, no_graphs: bool) -> Generated {
        if part.entry.draw.is_some() || !part.pictures.is_empty() || !no_graphs {
            return Generated::NotGenerated;
        }
        let dataset = &self.bundles[part.bundle].dataset;
        let why = format!("no picture of data set {dataset} is by {}", part.model);
        self.notes.push(format!("{why}: its G is not known"));
        Generated::Unknown { why }
    }

    fn embed(&self, parts: &[Part<'_>], driver: &mut Driver<'_>) -> anyhow::Result<Vectors> {
        let drawn = parts.iter().flat_map(|part| {
            let dataset = &self.bundles[part.bundle].dataset;
            part.generated.iter().filter_map(move |(id, g)| match g {
                Generated::Graph(graph) => {
                    Some((format!("{dataset}/{id}/{}", part.model), &graph.scene))
                }
                _ => None,
            })
        });
        let truth = self.bundles.iter().flat_map(|bundle| {
            let images = bundle.images.iter();
            images.map(move |(id, i)| (format!("{}/{id}", bundle.dataset), &i.scene))
        });
        Vectors::of(&self.source.embedder, truth.chain(drawn), driver)
    }

    fn sheets(&self, parts: Vec<Part<'_>>, vectors: &Vectors) -> anyhow::Result<Vec<Tested>> {
        let mut all = vec![];
        for mut part in parts {
            let mut images = BTreeMap::new();
            for (id, image) in &self.bundles[part.bundle].images {
                let mut generated = part.generated.remove(id).unwrap_or(Generated::NotGenerated);
                let table = match &generated {
                    Generated::Graph(graph) => vectors.table(&image.scene, &graph.scene)?,
                    _ => Ok(EmbeddingTable::default()),
                };
                let table = table.unwrap_or_else(|gap| {
                    generated = match gap {
                        Gap::Pending => Generated::Pending,
                        Gap::Failed(why) => Generated::Unknown {
                            why: format!("no vectors: {why}"),
                        },
                    };
                    EmbeddingTable::default()
                });
                let said = part.said.remove(id);
                let said = said.unwrap_or_else(|| vec![Said::Pending; image.facts.len()]);
                let graded = Graded {
                    sheet: Sheet::new(image, generated, said, &table, self.source.sheet),
                    grades: vec![],
                    picture: part.pictures.get(id).cloned(),
                };
                images.insert(*id, graded);
            }
            all.push(Tested {
                model: part.model.to_owned(),
                family: part.entry.family.clone(),
                bundle: part.bundle,
                images,
            });
        }
        Ok(all)
    }

    fn grade(&mut self, tested: &mut [Tested], driver: &mut Driver<'_>) -> anyhow::Result<()> {
        let judge = Arc::new(self.source.judge.clone());
        let (mut jobs, mut places) = (vec![], vec![]);
        for (at, one) in tested.iter().enumerate() {
            let dataset = &self.bundles[one.bundle].dataset;
            for (id, graded) in &one.images {
                let items = graded.sheet.to_grade();
                if items.is_empty() {
                    continue;
                }
                places.push((at, *id));
                jobs.push(GradeJob {
                    id: format!("grade/{dataset}/{id}/{}", one.model),
                    items: items.into_iter().map(|(_, item)| item).collect(),
                    judge: judge.clone(),
                    exact: self.source.exact,
                });
            }
        }
        for ((at, id), grades) in places.into_iter().zip(driver.run("grade", &jobs)?) {
            if let Some(graded) = tested[at].images.get_mut(&id) {
                graded.grades = grades;
            }
        }
        Ok(())
    }
}

/// Facts and images of every model over all its data sets.
pub(super) fn facts(tested: &[Tested], bundles: &[Bundle]) -> Vec<ModelFacts> {
    let mut all: BTreeMap<&str, ModelFacts> = BTreeMap::new();
    for one in tested {
        let dataset: Arc<str> = bundles[one.bundle].dataset.as_str().into();
        let entry = all.entry(&one.model).or_insert_with(|| ModelFacts {
            model: one.model.clone(),
            family: one.family.clone(),
            facts: vec![],
            images: BTreeMap::new(),
            pending: 0,
        });
        let mut images: Vec<ImageCoverage> = vec![];
        for graded in one.images.values() {
            let (scores, pending): (Vec<FactScore>, usize) =
                graded.sheet.scores(&dataset, &graded.grades);
            entry.facts.extend(scores);
            entry.pending += pending;
            images.push(graded.sheet.coverage);
        }
        entry.images.insert(dataset, images);
    }
    all.into_values().collect()
}

fn from_file(bundle: &Bundle, answers: &Answers) -> BTreeMap<ImageId, Vec<Said>> {
    let said = |fact: &verispec_graph::facts::Fact| {
        let answer = answers.get(&fact.key.to_string()).cloned();
        let answer = answer.unwrap_or(verispec_graph::answers::UndAnswer::NotAsked);
        Said::Known { answer }
    };
    let images = bundle.images.iter();
    images
        .map(|(id, image)| (*id, image.facts.iter().map(said).collect()))
        .collect()
}
