//! The page: server-rendered, on the loopback interface, one link a person.

mod answer;
mod forms;
mod guard;
mod pages;
mod people;
mod view;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use minijinja::Environment;

use crate::review::{Event, Journal, Refusal, Review, ReviewError};
use people::Guest;
pub use people::Person;

/// Largest form that is read, in bytes.
const LARGEST_FORM: usize = 256 * 1024;

/// How to serve.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Port on 127.0.0.1; 0 takes a free one.
    pub port: u16,
}

/// A page that is being served.
#[derive(Debug)]
pub struct Served {
    /// Address on the loopback interface.
    pub address: SocketAddr,
    /// Each person's link, with the token that opens it, in the order given.
    pub links: Vec<(String, String)>,
    task: tokio::task::JoinHandle<std::io::Result<()>>,
}

impl Served {
    /// Serves until the process ends or the task fails.
    ///
    /// # Errors
    /// [`ReviewError::Page`] when the server stops by itself.
    pub async fn wait(self) -> Result<(), ReviewError> {
        let stopped = |e: String| ReviewError::Page(format!("the server stopped: {e}"));
        let ended = self.task.await.map_err(|e| stopped(e.to_string()))?;
        ended.map_err(|e| stopped(e.to_string()))
    }
}

/// What all requests share.
struct Shared {
    address: SocketAddr,
    guests: Vec<Arc<Guest>>,
    pages: Environment<'static>,
    store: Mutex<Store>,
}

/// What changes.
struct Store {
    review: Review,
    journal: Journal,
}

impl Store {
    /// Checks, writes, and only then counts an event; gives its number.
    fn act(&mut self, mut event: Event) -> Result<u64, Trouble> {
        let Some(item) = self.review.set.item(&event.item) else {
            return Err(Trouble::No(Refusal::Stale));
        };
        self.review.own.check(item, &event).map_err(Trouble::No)?;
        event.n = self.review.own.last() + 1;
        self.journal.append(&event).map_err(Trouble::Disk)?;
        let applied = self.review.own.apply(&event);
        applied.map_err(|e| Trouble::Disk(ReviewError::Page(e)))?;
        Ok(event.n)
    }
}

/// Why an action was not done.
enum Trouble {
    No(Refusal),
    Disk(ReviewError),
}

impl Shared {
    fn store(&self) -> std::sync::MutexGuard<'_, Store> {
        // Nothing panics while it changes the store; and what is on disk is whole in any case.
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts serving; the port is open when this returns. The journal stays locked.
///
/// # Errors
/// [`ReviewError::Page`] when the port is taken or nobody may enter.
pub async fn serve(
    review: Review,
    journal: Journal,
    people: &[Person],
    options: &Options,
) -> Result<Served, ReviewError> {
    if people.is_empty() {
        return Err(ReviewError::Page("name somebody who reviews".to_owned()));
    }
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
    let taken = |e| ReviewError::io("listen on", PathBuf::from(wanted.to_string()))(e);
    let listener = tokio::net::TcpListener::bind(wanted).await.map_err(taken)?;
    let address = listener.local_addr().map_err(taken)?;
    let guests: Vec<Arc<Guest>> = people.iter().map(Guest::new).map(Arc::new).collect();
    let link = |g: &Arc<Guest>| {
        (
            g.person.name.clone(),
            format!("http://{address}/?token={}", g.token),
        )
    };
    let links = guests.iter().map(link).collect();
    let shared = Arc::new(Shared {
        address,
        guests,
        pages: view::engine().map_err(|e| ReviewError::Page(e.to_string()))?,
        store: Mutex::new(Store { review, journal }),
    });
    let routes = routes(shared);
    let task = tokio::spawn(async move { axum::serve(listener, routes).await });
    Ok(Served {
        address,
        links,
        task,
    })
}

fn routes(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(pages::overview))
        .route("/item/{place}", get(pages::item).post(forms::decide))
        .route("/next", get(pages::next))
        .route("/at", get(pages::at))
        .route("/undo", post(forms::undo))
        .route("/conflicts", get(pages::conflicts))
        .route(
            "/conflict/{place}",
            get(pages::conflict).post(forms::adjudicate),
        )
        .route("/image/{number}", get(pages::image))
        .route("/export/{name}", get(pages::export))
        .route("/assets/{name}", get(pages::asset))
        .fallback(pages::nothing)
        .layer(axum::middleware::from_fn_with_state(
            Arc::clone(&shared),
            guard::guard,
        ))
        .layer(DefaultBodyLimit::max(LARGEST_FORM))
        .with_state(shared)
}
