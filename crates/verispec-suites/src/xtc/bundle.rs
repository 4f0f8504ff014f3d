//! A ground-truth bundle: original pictures, their graphs, the facts to ask about.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use verispec_graph::facts::{Fact, FactKey, FactPolicy, SkipReason, WORDING, generate};
use verispec_graph::import::{attribute_lines, attribute_list, cleaned_graph, prompts, questions};
use verispec_graph::metrics::{DatasetMeans, dataset_means};
use verispec_graph::prompts::{IdStyle, plain_prompt};
use verispec_graph::scene::{
    AttributeIndex, AttributeRecord, Bbox, ImageId, MergedGraph, SceneGraph, ScenePolicy, SegmentId,
};
use verispec_model::{Hash, KeyBuilder};

use super::error::XtcError;
use super::files;

/// Whose questions are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Questions {
    /// Ours, made from the graphs.
    #[default]
    Ours,
    /// Those of `vqa_questions/generated_questions.json` in the bundle.
    Released,
}

/// How a bundle is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BundleOptions {
    /// How graphs become scenes.
    pub scene: ScenePolicy,
    /// How facts are made.
    pub facts: FactPolicy,
    /// Whose questions are asked.
    pub questions: Questions,
}

/// An original picture with its graph and facts.
#[derive(Debug, Clone, PartialEq)]
pub struct BundleImage {
    /// Its graph.
    pub scene: SceneGraph,
    /// Box of each node; that of its group where a member has none of its own.
    pub boxes: BTreeMap<SegmentId, Bbox>,
    /// Path below the folder of pictures, as the graph says.
    pub file_name: String,
    /// The picture, where there is one.
    pub picture: Option<PathBuf>,
    /// What an image model is asked to draw.
    pub prompt: String,
    /// Facts with their questions.
    pub facts: Vec<Fact>,
    /// Released number of each fact, where the questions are released ones.
    pub numbers: BTreeMap<u64, usize>,
    /// Relations under "no relation", left out.
    pub implausible: usize,
    /// Nodes without a record of attributes.
    pub undescribed: usize,
}

/// A bundle.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// Name of the data set.
    pub dataset: String,
    /// Its folder.
    pub root: PathBuf,
    /// Images by number.
    pub images: BTreeMap<ImageId, BundleImage>,
    /// Means over images: before merging where the files tell, of the scenes otherwise.
    pub means: Option<DatasetMeans>,
    /// Candidates that became no fact, by reason.
    pub skipped: BTreeMap<&'static str, usize>,
    /// Hash of graphs, prompts and facts: another one is another data set.
    pub revision: String,
    /// What is odd, for people.
    pub notes: Vec<String>,
}

impl Bundle {
    /// Reads a bundle of the release's layout. What is needed: `sg_with_attributes/` (or
    /// `4_graph_merge_gt/` and `5_attributes_gt/`). Pictures are looked for in `images/`.
    ///
    /// # Errors
    /// A folder is missing, a file cannot be read or holds something else.
    pub fn load(dataset: &str, root: &Path, options: BundleOptions) -> Result<Self, XtcError> {
        let mut notes = vec![];
        let attributes = attribute_records(root, &mut notes)?;
        let graphs = graphs(root, &attributes)?;
        if graphs.is_empty() {
            let what = "holds no scene-graph_<number>.json";
            return Err(XtcError::folder(root.join(files::COMPLETE), what));
        }
        let pictures = pictures_of(root, &mut notes)?;
        let prompts = released_prompts(root)?;
        let mut bundle = Self {
            dataset: dataset.to_owned(),
            root: root.to_owned(),
            images: BTreeMap::new(),
            means: means(root, &attributes)?,
            skipped: BTreeMap::new(),
            revision: String::new(),
            notes,
        };
        for (id, graph) in graphs {
            let mut image = bundle.image(&graph, options);
            image.picture = pictures.get(&id).cloned();
            if let Some(prompt) = prompts.get(&id) {
                image.prompt.clone_from(prompt);
            }
            bundle.images.insert(id, image);
        }
        if bundle.means.is_none() {
            bundle.means = means_of_scenes(&bundle.images);
        }
        if options.questions == Questions::Released {
            bundle.take_released_questions()?;
        }
        bundle.revision = bundle.content().short();
        Ok(bundle)
    }

    fn image(&mut self, graph: &MergedGraph, options: BundleOptions) -> BundleImage {
        let built = SceneGraph::build(graph, options.scene);
        let made = generate(&self.dataset, &built.scene, options.facts);
        for skipped in &made.skipped {
            *self.skipped.entry(skip_name(skipped.reason)).or_default() += 1;
        }
        BundleImage {
            prompt: plain_prompt(&built.scene, IdStyle::default()),
            boxes: boxes(graph),
            scene: built.scene,
            file_name: graph.file_name.clone(),
            picture: None,
            facts: made.facts,
            numbers: BTreeMap::new(),
            implausible: built.implausible,
            undescribed: built.undescribed,
        }
    }

    /// Puts the released questions in place of ours.
    fn take_released_questions(&mut self) -> Result<(), XtcError> {
        let path = self.root.join("vqa_questions/generated_questions.json");
        let all = questions(&path.display().to_string(), &files::json(&path)?)?;
        self.images.values_mut().for_each(|i| i.facts.clear());
        self.skipped.clear();
        for question in all {
            let Some(image) = self.images.get_mut(&question.image_id) else {
                let what = format!(
                    "question {} is about image {}, of which there is no graph",
                    question.id, question.image_id
                );
                return Err(XtcError::folder(path, what));
            };
            image.numbers.insert(question.id, image.facts.len());
            image.facts.push(Fact {
                key: FactKey {
                    dataset: self.dataset.clone(),
                    image_id: question.image_id,
                    target: question.target,
                },
                question: question.question,
                gold_values: vec![question.gold.clone()],
                gold: question.gold,
                described_by: vec![],
            });
        }
        Ok(())
    }

    /// Number of facts.
    #[must_use]
    pub fn facts(&self) -> usize {
        self.images.values().map(|i| i.facts.len()).sum()
    }

    fn content(&self) -> Hash {
        let mut key = KeyBuilder::new("verispec/xtc-bundle");
        key.field("wording", WORDING.as_bytes());
        for (id, image) in &self.images {
            key.field("image", &id.to_le_bytes());
            // Scenes and facts of strings and numbers always serialise.
            let text = serde_json::to_string(&(&image.scene, &image.facts)).unwrap_or_default();
            key.field("content", text.as_bytes());
            key.field("prompt", image.prompt.as_bytes());
        }
        key.finish()
    }
}

const fn skip_name(reason: SkipReason) -> &'static str {
    match reason {
        SkipReason::Indistinguishable => "indistinguishable",
        SkipReason::OnlyObject => "only object",
        SkipReason::Reflexive => "relation to itself",
    }
}

fn graphs(
    root: &Path,
    attributes: &[AttributeRecord],
) -> Result<BTreeMap<ImageId, MergedGraph>, XtcError> {
    let complete = root.join(files::COMPLETE);
    if complete.is_dir() {
        return files::merged_graphs(&complete);
    }
    let merged = root.join("4_graph_merge_gt");
    if !merged.is_dir() {
        let what = "is no bundle: neither sg_with_attributes/ nor 4_graph_merge_gt/ is there";
        return Err(XtcError::folder(root, what));
    }
    let index = AttributeIndex::new(attributes);
    let mut graphs = files::merged_graphs(&merged)?;
    for graph in graphs.values_mut() {
        index.attach(graph);
    }
    Ok(graphs)
}

fn attribute_records(
    root: &Path,
    notes: &mut Vec<String>,
) -> Result<Vec<AttributeRecord>, XtcError> {
    let folder = root.join("5_attributes_gt");
    let (by_line, whole) = (
        folder.join("attributes.jsonl"),
        folder.join("attributes.json"),
    );
    if by_line.is_file() {
        return files::lines(&by_line, attribute_lines, notes);
    }
    if whole.is_file() {
        return Ok(attribute_list(
            &whole.display().to_string(),
            &files::json(&whole)?,
        )?);
    }
    Ok(vec![])
}

fn pictures_of(
    root: &Path,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<ImageId, PathBuf>, XtcError> {
    let folder = root.join("images");
    if !folder.is_dir() {
        notes.push(format!("{}: no original pictures", folder.display()));
        return Ok(BTreeMap::new());
    }
    let (pictures, others) = files::pictures(&folder)?;
    if others > 0 {
        notes.push(format!(
            "{}: {others} pictures whose name is no number",
            folder.display()
        ));
    }
    Ok(pictures)
}

fn released_prompts(root: &Path) -> Result<BTreeMap<ImageId, String>, XtcError> {
    let path = root.join("6_prompt_generation/prompts.json");
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let records = prompts(&path.display().to_string(), &files::json(&path)?)?;
    Ok(records
        .into_iter()
        .map(|r| (r.image_id, r.prompt))
        .collect())
}

fn means(root: &Path, attributes: &[AttributeRecord]) -> Result<Option<DatasetMeans>, XtcError> {
    let folder = root.join("3_clean_and_refine_gt");
    if !folder.is_dir() || attributes.is_empty() {
        return Ok(None);
    }
    let mut graphs = vec![];
    for path in files::graph_files(&folder)? {
        graphs.push(cleaned_graph(
            &path.display().to_string(),
            &files::json(&path)?,
        )?);
    }
    Ok(dataset_means(&graphs, attributes))
}

/// Where relations before merging or records of attributes are not at hand: the same counts over
/// the scenes that the facts come from.
fn means_of_scenes(images: &BTreeMap<ImageId, BundleImage>) -> Option<DatasetMeans> {
    let scenes = || images.values().map(|i| &i.scene);
    let n = images.len();
    let mean = |count: usize| count as f64 / n as f64;
    let pairs = |s: &SceneGraph| {
        let ends: BTreeSet<(usize, usize)> =
            s.edges.iter().map(|e| (e.subject, e.object)).collect();
        ends.len()
    };
    let keys = |s: &SceneGraph| s.nodes.iter().map(|n| n.attributes.len()).sum::<usize>();
    (n > 0).then(|| DatasetMeans {
        images: n,
        objects: mean(scenes().map(|s| s.nodes.len()).sum()),
        relations: mean(scenes().map(pairs).sum()),
        attributes: mean(scenes().map(keys).sum()),
    })
}

/// Box of every node; a group's for each of its members.
pub(super) fn boxes(graph: &MergedGraph) -> BTreeMap<SegmentId, Bbox> {
    let groups = graph.groups.iter();
    let members = groups.flat_map(|g| g.members.iter().map(|m| (m.id, g.bbox)));
    members.collect()
}
