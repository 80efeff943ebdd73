//! The driver on a real socket.

use crate::ggs_server::Behaviour;
use crate::ggs_server::puppet::Puppet;
use crate::ggs_server::rng::Rng;
use crate::ggs_server::tcp::Tcp;
use crate::play::check_records;
use outflank::clock::{Budget, Stopwatch};
use outflank::rules::Position;
use outflank::search::Stop;
use outflank::session::ggs::{Config, Exit, Input, Mode, Options, Secret, Thinker, Verdict, run};
use outflank_protocol::ggf;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// No match takes so long, on however busy a machine.
pub const STUCK: Duration = Duration::from_secs(600);

/// Plays the first legal move at once; thinks without end on the opponent's time.
struct Quick;

impl Thinker for Quick {
    fn think(
        &mut self,
        position: &Position,
        budget: Option<Budget>,
        _: &dyn Stopwatch,
        stop: &Stop,
    ) -> Verdict {
        while budget.is_none() && !stop.is_requested() {
            std::thread::sleep(Duration::from_millis(1));
        }
        Verdict {
            best: position.moves().iter().next(),
            discs: 0.0,
            exact: false,
        }
    }

    fn forget(&mut self) {}
}

/// A folder that goes with its test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("outflank-ggs-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn games(&self, file: &str) -> Vec<ggf::Match> {
        let text = std::fs::read_to_string(self.0.join(file)).unwrap_or_default();
        ggf::matches(&text).map(|found| found.unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A client with a quick engine.
pub fn options(tcp: &Tcp, folder: &Path, name: &str, more: &str) -> Options {
    let games = folder.join(format!("{name}.ggf"));
    let text = format!(
        "server = '{}'\nlogin = '{name}'\ngames = '{}'\n{more}",
        tcp.address,
        games.display()
    );
    Options {
        config: Config::parse("test", &text).unwrap(),
        secret: Secret::new("pass word").unwrap(),
        mode: Mode::Play,
        threads: 1,
        thinker: Arc::new(|_| Box::new(Quick)),
    }
}

/// Two clients on a socket that sends byte by byte; one connection after the other is cut.
#[test]
fn two_clients_over_loopback() {
    let folder = Folder::new("pair");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let behaviour = Behaviour {
            noise: 1,
            ..Behaviour::default()
        };
        let tcp = Tcp::start(behaviour, 1, 1).await;
        tcp.with(|server| {
            server.register("first", "pass word");
            server.register("second", "pass word");
        });
        let (leave_first, control) = mpsc::unbounded_channel();
        let second = options(
            &tcp,
            &folder.0,
            "second",
            "[play]\nponder = 'always'\n[accept]\nmain = ['0:01', '60:00']\n",
        );
        let second = tokio::spawn(run(second, control));
        tcp.until("the second one is there", |server| server.room("second"))
            .await;
        let (leave_second, control) = mpsc::unbounded_channel();
        let offer = "[[offer]]\ntype = 's8r20'\nclock = '1:00//1:00'\nopponent = 'second'\nevery = '1:00'\n";
        let first = tokio::spawn(run(options(&tcp, &folder.0, "first", offer), control));
        tcp.until("a match", |server| {
            server
                .matches
                .values()
                .any(|found| found.games[0].moves.len() > 5)
        })
        .await;
        tcp.cut_all();
        tcp.until("it goes on", |server| server.ledger.resumed == 1).await;
        tcp.until("its end", |server| server.ledger.finished >= 1).await;
        for (leave, task) in [(leave_first, second), (leave_second, first)] {
            leave.send(Input::Leave).unwrap();
            assert_eq!(task.await.unwrap().unwrap(), Exit::Done);
        }
        let faults = tcp.with(|server| server.ledger.clone());
        assert!(
            !faults
                .faults
                .iter()
                .any(|(_, what)| what.contains("move") || what.contains("turn") || what.contains("time")),
            "{faults:?}"
        );
    });
    runtime.shutdown_background();
    for file in ["first.ggf", "second.ggf"] {
        let games = folder.games(file);
        check_records(&games);
        // The interrupted match, and the whole one.
        assert!(
            games
                .iter()
                .any(|found| found.games.iter().all(|game| game.result.discs.is_some())),
            "{file}"
        );
        assert!(
            games
                .iter()
                .any(|found| found.games.iter().all(|game| game.result.discs.is_none())),
            "{file}"
        );
        assert!(
            games
                .iter()
                .all(|found| found.games.iter().all(|game| game.date.ends_with("UTC")))
        );
    }
}

/// A puppet on a socket that asks for one match after the other, and comes back when it is cut off.
async fn challenger(tcp: Tcp, name: &'static str, matches: u32, clock: &'static str) {
    const TYPES: [&str; 5] = ["8", "s8", "s8r20", "8kr20", "s8r17"];
    let mut rng = Rng(9);
    let mut puppet = Puppet::new(name, "x", 3);
    puppet.rated = true;
    loop {
        let mut stream = TcpStream::connect(tcp.address).await.unwrap();
        puppet.reset();
        let mut buffer = [0; 4096];
        let mut asked = 0;
        loop {
            let read = timeout(Duration::from_millis(200), stream.read(&mut buffer)).await;
            let mut lines = match read {
                Ok(Ok(count @ 1..)) => puppet.read(&buffer[..count]),
                Ok(_) => break,
                Err(_) => Vec::new(),
            };
            // What it was told is not kept: the memory of this process is measured.
            puppet.events.clear();
            // The server remembers `open` of those who are away: that there is room does not mean that anyone is there.
            let (finished, free) = tcp.with(|server| {
                let idle =
                    server.playing(name) == 0 && server.stored.is_empty() && server.requests.is_empty();
                let room = |name| server.is_online(name) && server.room(name);
                (server.ledger.finished, idle && room(name) && room("outflank"))
            });
            if finished >= matches {
                return;
            }
            if free && puppet.is_ready() && finished >= asked {
                asked = finished + 1;
                lines.push(Puppet::ask(rng.pick(&TYPES), clock, "outflank"));
            }
            for line in lines {
                if stream.write_all(format!("{line}\n").as_bytes()).await.is_err() {
                    break;
                }
            }
        }
    }
}

/// Bytes and threads of this process, where the system tells.
fn size_of_process() -> Option<(u64, u64)> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let number = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    Some((number("VmRSS:")?, number("Threads:")?))
}

/// Games on a socket, with cuts at random: nothing grows, neither memory nor tasks nor threads.
fn play_over_loopback(matches: u32, clock: &'static str, mut cuts: u32, cut_every: u64) {
    let folder = Folder::new("many");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    let mut sizes = Vec::new();
    runtime.block_on(async {
        let tcp = Tcp::start(
            Behaviour {
                noise: 1,
                ..Behaviour::default()
            },
            5,
            100,
        )
        .await;
        tcp.with(|server| {
            server.register("outflank", "pass word");
            server.register("carl9", "x");
        });
        let (leave, control) = mpsc::unbounded_channel();
        let config = "[play]\nponder = 'always'\n[accept]\nmain = ['0:01', '60:00']\n";
        let client = tokio::spawn(run(options(&tcp, &folder.0, "outflank", config), control));
        tcp.until("login", |server| server.room("outflank")).await;
        let carl = tokio::spawn(challenger(tcp.clone(), "carl9", matches, clock));
        let mut rng = Rng(7);
        let mut noted = 0;
        let (mut last, mut since) = (0, Instant::now());
        while !carl.is_finished() {
            tokio::time::sleep(Duration::from_millis(100)).await;
            // Each cut makes the client wait twice as long as the one before.
            if cuts > 0 && rng.one_in(cut_every) {
                cuts -= 1;
                tcp.cut_all();
            }
            let finished = tcp.with(|server| {
                // The test keeps everything; that is not what is measured.
                server.received.clear();
                server.ledger.finished
            });
            if finished > last {
                (last, since) = (finished, Instant::now());
            }
            assert!(
                since.elapsed() < STUCK,
                "stuck after {finished} matches: {:?}",
                tcp.with(|server| server.ledger.clone())
            );
            if finished >= noted + matches / 4 {
                noted = finished;
                sizes.push((size_of_process(), runtime.metrics().num_alive_tasks()));
            }
        }
        carl.await.unwrap();
        leave.send(Input::Leave).unwrap();
        assert_eq!(client.await.unwrap().unwrap(), Exit::Done);
        let faults = tcp.with(|server| server.faults_of("outflank").join(", "));
        let bad = ["move", "turn", "timeout", "trust"];
        assert!(!bad.iter().any(|word| faults.contains(word)), "{faults}");
        println!(
            "{:?}",
            tcp.with(|server| (
                server.ledger.started,
                server.ledger.resumed,
                server.ledger.finished
            ))
        );
    });
    println!("(KiB, threads), tasks after each quarter: {sizes:?}");
    check_records(&folder.games("outflank.ggf"));
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    assert!(last.1 <= first.1 + 6, "tasks: {sizes:?}");
    // Tests beside this one have threads and memory of their own; the long run has the process almost to itself.
    if let (Some(first), Some(last), true) = (first.0, last.0, matches >= 100) {
        assert!(last.0 < first.0 + 4_000 && last.1 <= first.1 + 1, "{sizes:?}");
    }
    runtime.shutdown_background();
}

#[test]
fn some_games_over_loopback() {
    play_over_loopback(8, "0:30//0:00", 1, 3);
}

/// `cargo test --release --test ggs -- --ignored --nocapture --test-threads=1`
#[test]
#[ignore = "a long run"]
fn two_hundred_games_over_loopback() {
    play_over_loopback(200, "0:05//0:00", 5, 30);
}
