//! The server on a loopback port.

use super::{Behaviour, Conn, Output, Server};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{self, UnboundedSender};

/// A running server. Its task ends with the runtime that it was started in.
#[derive(Clone)]
pub struct Tcp {
    pub address: SocketAddr,
    pub server: Arc<Mutex<Server>>,
    writers: Arc<Mutex<HashMap<Conn, UnboundedSender<Output>>>>,
}

impl Tcp {
    /// Starts on a free port; bytes are sent in pieces of at most so many.
    pub async fn start(behaviour: Behaviour, seed: u64, piece: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let tcp = Self {
            address: listener.local_addr().expect("an address"),
            server: Arc::new(Mutex::new(Server::new(behaviour, seed))),
            writers: Arc::default(),
        };
        let begun = Instant::now();
        let accepting = tcp.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                let (mut reader, mut writer) = stream.into_split();
                let (sender, mut outputs) = mpsc::unbounded_channel();
                // In this order: whoever flushes meanwhile must know where the greeting goes.
                let mut writers = accepting.writers.lock().unwrap();
                let conn = accepting.with(|server| server.connect());
                writers.insert(conn, sender);
                drop(writers);
                tokio::spawn(async move {
                    while let Some(Output::Bytes(bytes)) = outputs.recv().await {
                        for piece in bytes.chunks(piece) {
                            if writer.write_all(piece).await.is_err() {
                                return;
                            }
                        }
                    }
                });
                let reading = accepting.clone();
                reading.flush();
                tokio::spawn(async move {
                    let mut buffer = [0; 4096];
                    while let Ok(count @ 1..) = reader.read(&mut buffer).await {
                        reading.with(|server| {
                            server.advance(begun.elapsed());
                            server.receive(conn, &buffer[..count]);
                        });
                        reading.flush();
                    }
                    reading.with(|server| server.disconnect(conn));
                    reading.writers.lock().unwrap().remove(&conn);
                    reading.flush();
                });
            }
        });
        let ticking = tcp.clone();
        tokio::spawn(async move {
            loop {
                tokio::time::sleep(Duration::from_millis(20)).await;
                ticking.with(|server| server.advance(begun.elapsed()));
                ticking.flush();
            }
        });
        tcp
    }

    /// Does something with the server.
    pub fn with<T>(&self, work: impl FnOnce(&mut Server) -> T) -> T {
        work(&mut self.server.lock().unwrap())
    }

    /// Sends what the server has to say.
    pub fn flush(&self) {
        // In this order: whoever flushes at the same time must not send something newer first.
        let mut writers = self.writers.lock().unwrap();
        let output = self.with(Server::take_output);
        for (conn, output) in output {
            let close = output == Output::Close;
            if let Some(writer) = writers.get(&conn) {
                let _ = writer.send(output);
            }
            if close {
                writers.remove(&conn);
            }
        }
    }

    /// Cuts every connection.
    pub fn cut_all(&self) {
        let mut writers = self.writers.lock().unwrap();
        let conns: Vec<Conn> = writers.drain().map(|(conn, _)| conn).collect();
        drop(writers);
        self.with(|server| conns.iter().for_each(|&conn| server.disconnect(conn)));
        self.flush();
    }

    /// Waits until something is true of the server.
    pub async fn until(&self, what: &str, fits: impl Fn(&Server) -> bool) {
        for _ in 0..60_000 {
            if self.with(|server| fits(server)) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!(
            "it did not happen: {what}; {:?}",
            self.with(|server| server.ledger.clone())
        );
    }
}
