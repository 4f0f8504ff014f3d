//! Connections that can be reset from inside a handler.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};

/// Handle of a connection, given to its requests.
#[derive(Debug, Clone, Default)]
pub(super) struct Conn(Arc<AtomicBool>);

impl Conn {
    /// From now on nothing is written, and closing sends RST instead of FIN.
    pub(super) fn reset(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    fn is_reset(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Accepts connections that carry a [`Conn`].
pub(super) struct Resettable(pub(super) TcpListener);

impl Listener for Resettable {
    type Io = Stream;
    type Addr = Conn;

    async fn accept(&mut self) -> (Stream, Conn) {
        loop {
            match self.0.accept().await {
                Ok((tcp, _)) => {
                    // Small pieces have to leave at once; failing to ask for it only delays them.
                    let _ = tcp.set_nodelay(true);
                    let conn = Conn::default();
                    return (
                        Stream {
                            tcp,
                            conn: conn.clone(),
                        },
                        conn,
                    );
                }
                // Out of file descriptors, or gone already: try again shortly.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            }
        }
    }

    fn local_addr(&self) -> io::Result<Conn> {
        Ok(Conn::default())
    }
}

impl Connected<IncomingStream<'_, Resettable>> for Conn {
    fn connect_info(stream: IncomingStream<'_, Resettable>) -> Self {
        stream.remote_addr().clone()
    }
}

/// A TCP stream that fails to write once its connection is reset.
pub(super) struct Stream {
    tcp: TcpStream,
    conn: Conn,
}

impl Drop for Stream {
    fn drop(&mut self) {
        if self.conn.is_reset() {
            // Without it the peer would see an orderly end; there is nobody to tell if it fails.
            let _ = self.tcp.set_zero_linger();
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(cx, buf)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.conn.is_reset() {
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        Pin::new(&mut self.tcp).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.conn.is_reset() {
            return Poll::Ready(Ok(()));
        }
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
