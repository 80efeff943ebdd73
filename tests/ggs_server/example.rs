//! The game server of the tests on a loopback port, with a player who takes every offer: for trying a configuration.
//!
//! `cargo run --release --example ggs_server`

// The tests use the rest of it.
#[allow(dead_code)]
#[path = "mod.rs"]
mod ggs_server;

use ggs_server::Behaviour;
use ggs_server::puppet::Puppet;
use ggs_server::tcp::Tcp;
use std::io;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The player.
const NAME: &str = "carl";

#[tokio::main]
async fn main() -> io::Result<()> {
    let tcp = Tcp::start(Behaviour::default(), 1, 1448).await;
    println!(
        "server = \"{}\"  # any login and password will do; '{NAME}' plays whatever he is offered; Ctrl-C ends it",
        tcp.address
    );
    let mut puppet = Puppet::new(NAME, "x", 1);
    let mut stream = TcpStream::connect(tcp.address).await?;
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).await?;
        if count == 0 {
            return Ok(());
        }
        for line in puppet.read(&buffer[..count]) {
            stream.write_all(format!("{line}\n").as_bytes()).await?;
        }
        puppet.events.clear();
    }
}
