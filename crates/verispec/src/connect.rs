//! From a judge to the way it is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verispec_engine::execute::Lane;
use verispec_engine::transport::{
    HttpOptions, HttpTransport, ImageSource as _, InProcess, LocalError, Pool, ProcessTransport,
    Transport, account,
};
use verispec_media::{MediaCache, MediaCacheOptions};
use verispec_model::{JudgeIdentity, Reply, Request};
use verispec_providers::command::COMMAND;
use verispec_vision::{Builtin, VisionError};

use crate::exit::usage;
use crate::judge::{BUILTIN, Judge};

/// The transport of a judge: this process for `builtin`, a program for `command`, HTTP for
/// all others.
pub(crate) fn transport(judge: &Judge, timeout: Duration) -> anyhow::Result<Arc<dyn Transport>> {
    let images = Arc::new(MediaCache::new(MediaCacheOptions::default()));
    if judge.identity.provider == BUILTIN {
        let builtin = builtin()?;
        return Ok(Arc::new(InProcess::new(move |r: &Request| {
            answer(&builtin, &images, r)
        })));
    }
    let provider = judge.identity.provider.as_str();
    if provider == COMMAND {
        let program = ProcessTransport::new(judge.command.clone(), timeout);
        return Ok(Arc::new(program));
    }
    http(judge, images, timeout)
}

/// Refuses a judge that no call can reach: before a run is made and before the first call.
pub(crate) fn check(judge: &Judge) -> anyhow::Result<()> {
    let provider = judge.identity.provider.as_str();
    if provider == BUILTIN || provider == COMMAND {
        return Ok(());
    }
    if judge.key.is_none() && judge.is_public() {
        return Err(usage(format!(
            "{} takes no request without a key: set {} (or put it into .env), name another \
             variable with --api-key-env, or give the --endpoint of your own server",
            judge.address(),
            judge.key_env.join(" or ")
        )));
    }
    let images = Arc::new(MediaCache::new(MediaCacheOptions::default()));
    http(judge, images, Duration::from_secs(1)).map(drop)
}

fn http(
    judge: &Judge,
    images: Arc<MediaCache>,
    timeout: Duration,
) -> anyhow::Result<Arc<dyn Transport>> {
    let provider = judge.identity.provider.as_str();
    let dialect = verispec_providers::dialect(provider)
        .ok_or_else(|| usage(format!("there is no provider {provider:?}")))?;
    dialect
        .check_params(&judge.identity.params)
        .and_then(|()| dialect.check_structured(judge.identity.structured))
        .map_err(|e| usage(e.to_string()))?;
    let options = HttpOptions {
        timeout,
        ..HttpOptions::default()
    };
    let http = |endpoint: &String| -> anyhow::Result<Arc<dyn Transport>> {
        let (key, images) = (judge.key.clone(), images.clone());
        let http = HttpTransport::new(dialect, endpoint, key, images, options);
        Ok(Arc::new(http.map_err(|e| usage(e.to_string()))?))
    };
    let mut all = judge
        .endpoints
        .iter()
        .map(http)
        .collect::<Result<Vec<_>, _>>()?;
    Ok(match all.len() {
        1 => all.remove(0),
        _ => Arc::new(Pool::new(all)),
    })
}

/// The lane of a judge; judges of one provider account share its limits.
pub(crate) fn lane(
    judge: &Judge,
    identity: Arc<JudgeIdentity>,
    transport: Arc<dyn Transport>,
    concurrency: usize,
) -> Lane {
    let lane = Lane::new(identity, transport, concurrency);
    if judge.endpoints.is_empty() {
        return lane;
    }
    let provider = &judge.identity.provider;
    lane.of_account(account(provider, &judge.endpoints, judge.key.as_ref()))
}

fn answer(builtin: &Builtin, images: &MediaCache, request: &Request) -> Result<Reply, LocalError> {
    let load = |part: &verispec_model::ImagePart| images.load(part).map(|i| i.bytes.to_vec());
    builtin.reply(request, &load).map_err(|e| match e {
        VisionError::Load(message) => LocalError::File(message),
        other => LocalError::Request(other.to_string()),
    })
}

/// What the builtin judge has been given.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    pub(crate) dir: PathBuf,
    /// Weights for reading text.
    pub(crate) ocr: bool,
    /// The detector of objects.
    pub(crate) detector: bool,
}

/// The builtin judge's weights, if any are installed.
pub(crate) fn weights() -> Option<Weights> {
    let dir = verispec_vision::default_weights_dir()?;
    let ocr = verispec_vision::weights_installed(&dir);
    let detector = verispec_vision::detector_installed(&dir);
    (ocr || detector).then_some(Weights { dir, ocr, detector })
}

/// The builtin judge with what it has been given.
pub(crate) fn builtin() -> Result<Builtin, VisionError> {
    Builtin::new(weights().as_ref().map(|w| w.dir.as_path()))
}

/// Whether the builtin judge has the weights for reading text.
pub(crate) fn reads_text() -> bool {
    weights().is_some_and(|w| w.ocr)
}
