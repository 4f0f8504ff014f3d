//! From a judge to the way it is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use verispec_engine::transport::{
    HttpOptions, HttpTransport, ImageSource as _, InProcess, LocalError, ProcessTransport,
    Transport,
};
use verispec_media::{MediaCache, MediaCacheOptions};
use verispec_model::{Reply, Request};
use verispec_providers::command::COMMAND;
use verispec_vision::{Builtin, VisionError};

use crate::exit::usage;
use crate::judge::{BUILTIN, Judge};

/// The transport of a judge: this process for `builtin`, a program for `command`, HTTP for
/// all others.
pub(crate) fn transport(judge: &Judge, timeout: Duration) -> anyhow::Result<Arc<dyn Transport>> {
    let images = Arc::new(MediaCache::new(MediaCacheOptions::default()));
    if judge.identity.provider == BUILTIN {
        let builtin = Builtin::new(weights().as_deref())?;
        return Ok(Arc::new(InProcess::new(move |r: &Request| {
            answer(&builtin, &images, r)
        })));
    }
    let provider = judge.identity.provider.as_str();
    if provider == COMMAND {
        let program = ProcessTransport::new(judge.command.clone(), timeout);
        return Ok(Arc::new(program));
    }
    let http = http(judge, images, timeout)?;
    Ok(Arc::new(http))
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
            judge.endpoint,
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
) -> anyhow::Result<HttpTransport> {
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
    HttpTransport::new(dialect, &judge.endpoint, judge.key.clone(), images, options)
        .map_err(|e| usage(e.to_string()))
}

fn answer(builtin: &Builtin, images: &MediaCache, request: &Request) -> Result<Reply, LocalError> {
    let load = |part: &verispec_model::ImagePart| images.load(part).map(|i| i.bytes.to_vec());
    builtin.reply(request, &load).map_err(|e| match e {
        VisionError::Load(message) => LocalError::File(message),
        other => LocalError::Request(other.to_string()),
    })
}

/// Folder of the builtin judge's weights, if they are installed.
pub(crate) fn weights() -> Option<PathBuf> {
    verispec_vision::default_weights_dir().filter(|dir| verispec_vision::weights_installed(dir))
}
