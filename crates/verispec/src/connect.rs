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
    let http = HttpTransport::new(dialect, &judge.endpoint, judge.key.clone(), images, options)?;
    Ok(Arc::new(http))
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
