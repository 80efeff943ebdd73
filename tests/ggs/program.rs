//! The shipped program: what it writes, what it is told from outside, and how it ends.

use crate::ggs_server::Behaviour;
use crate::ggs_server::tcp::Tcp;
use crate::network::{Folder, STUCK, options};
use crate::play::check_records;
use outflank::rules::{Color, Counting, Position, Rules};
use outflank::session::ggs::{Input, run};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tokio::sync::mpsc;

/// A process that does not outlive its test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The shipped program, with its real engine, plays a short match, writes its files and leaves.
#[test]
fn the_program_plays() {
    let folder = Folder::new("program");
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let tcp = Tcp::start(Behaviour::default(), 2, 7).await;
        tcp.with(|server| {
            server.register("outflank", "swordfish");
            server.register("second", "pass word");
        });
        let config = format!(
            "server = '{}'\nlogin = 'outflank'\npassword_file = 'secret'\ngames = 'games.ggf'\nlog = {{ file = 'ggs.log' }}\n\
             [play]\nponder = 'always'\n[accept]\nmain = ['0:01', '5:00']\n",
            tcp.address
        );
        std::fs::write(folder.0.join("ggs.toml"), config).unwrap();
        std::fs::write(folder.0.join("secret"), "swordfish\n").unwrap();
        let program = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(["ggs", "--hash", "16", "--config"])
            .arg(folder.0.join("ggs.toml"))
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let _program = Program(program);
        tcp.until("the program is there", |server| server.room("outflank")).await;
        let (leave, control) = mpsc::unbounded_channel();
        let offer = "[[offer]]\ntype = '8'\nclock = '0:02//1:00'\nopponent = 'outflank'\nevery = '60:00'\n";
        let second = tokio::spawn(run(options(&tcp, &folder.0, "second", offer), control));
        tcp.until("the end", |server| server.ledger.finished == 1).await;
        leave.send(Input::Leave).unwrap();
        second.await.unwrap().unwrap();
        // A busy machine may cost it the time, but nothing makes it send a wrong move.
        let faults = tcp.with(|server| server.faults_of("outflank").join(", "));
        assert!(!["move", "turn", "unknown"].iter().any(|word| faults.contains(word)), "{faults}");
    });
    runtime.shutdown_background();
    let games = folder.games("games.ggf");
    assert_eq!(games.len(), 1);
    check_records(&games);
    let record = &games[0].games[0];
    let moves = record.playable().unwrap().moves;
    let last = moves
        .iter()
        .fold(Position::start(Rules::Othello), |position, turn| {
            position.play(turn.played.mv.into())
        });
    let black = last.tally(Counting::Tournament).difference(Color::Black);
    let won = (record.black.name == "outflank") == (black > 0);
    assert!(won, "lost against the first legal move: {record}");
    let log = std::fs::read_to_string(folder.0.join("ggs.log")).unwrap();
    assert!(log.contains("logged in as outflank") && log.contains("(password)"));
    assert!(!log.contains("swordfish"));
}

/// A server of which every word is written by the test.
struct Script {
    listener: TcpListener,
    stream: Option<BufReader<TcpStream>>,
}

const PASSWORD: &str = "swordfish";

impl Script {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self {
            listener,
            stream: None,
        }
    }

    /// Writes a configuration for it, and the password beside it.
    fn configure(&self, folder: &Path, more: &str) {
        let address = self.listener.local_addr().unwrap();
        let config = format!("server = '{address}'\nlogin = 'outflank'\npassword_file = 'secret'\n{more}");
        std::fs::write(folder.join("ggs.toml"), config).unwrap();
        std::fs::write(folder.join("secret"), format!("{PASSWORD}\n")).unwrap();
    }

    fn say(&mut self, text: &str) {
        let stream = self.stream.as_mut().unwrap().get_mut();
        stream.write_all(text.replace('\n', "\r\n").as_bytes()).unwrap();
    }

    /// Reads up to a line.
    fn hear(&mut self, wanted: &str) {
        let stream = self.stream.as_mut().unwrap();
        let mut line = String::new();
        while line.trim_end() != wanted {
            line.clear();
            assert_ne!(
                stream.read_line(&mut line).unwrap(),
                0,
                "closed before '{wanted}'"
            );
        }
    }

    /// Asks for name and password.
    fn ask(&mut self) {
        let (stream, _) = self.listener.accept().unwrap();
        stream.set_read_timeout(Some(STUCK)).unwrap();
        self.stream = Some(BufReader::new(stream));
        self.say(": Enter login (yours, or one you'd like to use).\n");
        self.hear("outflank");
        self.say(": Enter your password.\n");
        self.hear(PASSWORD);
    }

    /// Until the client has sent all its settings.
    fn log_in(&mut self) {
        self.ask();
        self.say("READY\n");
        self.hear("tell /os continue");
    }

    /// All that was said before is understood when this returns: a request has been declined.
    fn settle(&mut self) {
        self.say("\n/os: + .99 1720.0 bob 05:00//02:00 8a U 1720.0 outflank\nREADY\n");
        self.hear("tell /os decline .99");
    }

    /// A match begins in which the opponent moves first.
    fn begin(&mut self, opponent: &str) {
        let board = START;
        self.say(&format!(
            "\n/os: + match .7 1720.0 outflank 1720.0 {opponent} 8 U\nREADY\n\n/os: join .7 8 K?\n|0 move(s)\n|  0: PASS\n\
             |{opponent:8} (1720.0 *) 14:59,0:0//02:00,0:0\n|outflank (1720.0 O) 15:00,0:0//02:00,0:0\n|\n{board}|\n|* to move\nREADY\n"
        ));
        self.settle();
    }

    /// The opponent moves, and the match ends at once.
    fn end(&mut self, opponent: &str) {
        let board = START
            .replace("3 - - - - - - - - 3", "3 - - - * - - - - 3")
            .replace("4 - - - O *", "4 - - - * *");
        self.say(&format!(
            "\n/os: update .7 8 K?\n|  1: d3//0.41\n\
             |{opponent:8} (1720.0 *) 14:58,1:0//02:00,0:0\n|outflank (1720.0 O) 15:00,0:0//02:00,0:0\n|\n{board}|\n|O to move\nREADY\n\n\
             /os: - match .7 1720.0 outflank 1720.0 {opponent} 8 U +64.00\nREADY\n"
        ));
        self.settle();
    }
}

const START: &str = "|   A B C D E F G H
| 1 - - - - - - - - 1 
| 2 - - - - - - - - 2 
| 3 - - - - - - - - 3 
| 4 - - - O * - - - 4 
| 5 - - - * O - - - 5 
| 6 - - - - - - - - 6 
| 7 - - - - - - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
";

impl Program {
    fn start(folder: &Path, more: &[&str]) -> Self {
        let program = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(["ggs", "--hash", "1", "--config"])
            .arg(folder.join("ggs.toml"))
            .args(more)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        Self(program.unwrap())
    }

    /// Sends signals, all of which are there when the program looks.
    #[cfg(unix)]
    fn signal(&self, names: &[&str]) {
        for name in ["STOP"].iter().chain(names).chain(&["CONT"]) {
            let sent = Command::new("kill")
                .args([format!("-{name}"), self.0.id().to_string()])
                .status();
            assert!(sent.unwrap().success());
        }
    }

    /// Waits for its end; its exit code and what it wrote to stderr.
    fn end(mut self) -> (Option<i32>, String) {
        let mut text = String::new();
        self.0.stderr.take().unwrap().read_to_string(&mut text).unwrap();
        (self.0.wait().unwrap().code(), text)
    }
}

/// In whatever message the server sends it back, in whichever log: it is hidden there, and in the file of games.
#[cfg(unix)]
#[test]
fn the_password_is_in_no_file() {
    let folder = Folder::new("secret");
    let [log, other] = ["ggs.log", "other.log"].map(|name| folder.0.join(name));
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    for (more, arguments) in [
        ("log = { file = 'ggs.log' }\n", vec![]),
        ("", vec!["--log", other.to_str().unwrap()]),
        ("", vec!["--log", "debug"]),
        ("", vec![]),
    ] {
        let mut server = Script::new();
        server.configure(&folder.0, &format!("games = 'games.ggf'\n{more}"));
        // As a user would make it by carelessness: there is a warning.
        let program = Program::start(&folder.0, &arguments);
        server.log_in();
        for line in [
            ": ERR command 'PASSWORD' not recognized.",
            ": +ack: PASSWORD => tell PASSWORD",
            "bob: is it PASSWORD?\n|PASSWORD",
            ".chan PASSWORD: PASSWORD",
            "PASSWORD: READY",
            "/td: PASSWORD",
            "/os: ERR user 'PASSWORD' not found.",
            "/os: PASSWORD",
            "/os: decline ERR not found: PASSWORD",
            "/os: + .2 1720.0 PASSWORD 05:00//02:00 8a U 1720.0 outflank",
            "/os: + .3 1720.0 PASSWORD 05:00//02:00 8 U 1720.0 outflank",
            "/os: - .3 1720.0 PASSWORD 05:00//02:00 8 U 1720.0 outflank",
            "/os: + PASSWORD stored",
        ] {
            server.say(&format!("\n{}\nREADY\n", line.replace("PASSWORD", PASSWORD)));
        }
        server.begin(PASSWORD);
        for line in [
            "/os: error .7 PASSWORD",
            "/os: .7 A 1720.0 PASSWORD: PASSWORD",
            "/os: undo .7 PASSWORD is asking",
            "/os: timeout .7 PASSWORD (*)",
            "/os: + PASSWORD watch .7",
        ] {
            server.say(&format!("\n{}\nREADY\n", line.replace("PASSWORD", PASSWORD)));
        }
        server.end(PASSWORD);
        program.signal(&["TERM"]);
        server.hear("quit");
        let (code, stderr) = program.end();
        assert_eq!(code, Some(0), "{stderr}");
        let texts = [read(&log), read(&other), stderr];
        // In one of them, that is.
        assert!(
            texts.iter().any(|text| text.matches("(password)").count() > 20),
            "{texts:?}"
        );
        assert!(texts.concat().contains("other users can read the password file"));
        for text in texts.iter().chain([&read(&folder.0.join("games.ggf"))]) {
            assert!(!text.contains(PASSWORD), "{text}");
        }
        let _ = std::fs::remove_file(&log);
        let _ = std::fs::remove_file(&other);
    }
    assert_eq!(folder.games("games.ggf").len(), 4);
}

#[test]
fn the_password_is_in_no_error() {
    let folder = Folder::new("error");
    let mut server = Script::new();
    server.configure(&folder.0, "games = 'games.ggf'\n");
    let program = Program::start(&folder.0, &[]);
    server.ask();
    server.say(&format!(
        ": ERR Password {PASSWORD} is incorrect.\n: Enter login\n"
    ));
    let (code, stderr) = program.end();
    assert_eq!(code, Some(1));
    assert!(
        stderr.contains("refused: Password (password) is incorrect."),
        "{stderr}"
    );
    assert!(!stderr.contains(PASSWORD), "{stderr}");
}

/// Ctrl-C and SIGTERM at once: neither is lost, whichever is seen first. Ctrl-C alone would wait for the match.
#[cfg(unix)]
#[test]
fn signals_at_the_same_time_all_count() {
    let folder = Folder::new("signals");
    for _ in 0..6 {
        let mut server = Script::new();
        server.configure(&folder.0, "games = 'games.ggf'\n");
        let program = Program::start(&folder.0, &[]);
        server.log_in();
        server.begin("bob");
        program.signal(&["INT", "TERM"]);
        server.hear("quit");
        assert_eq!(program.end().0, Some(0));
    }
}

/// A disk without room: the matches are told, the log is missed, and the exit code is that of a failure.
#[cfg(target_os = "linux")]
#[test]
fn what_a_full_disk_did_not_take_is_told_at_the_end() {
    let folder = Folder::new("full");
    let mut server = Script::new();
    server.configure(&folder.0, "games = '/dev/full'\nlog = { file = '/dev/full' }\n");
    let program = Program::start(&folder.0, &[]);
    server.log_in();
    server.begin("bob");
    server.end("bob");
    program.signal(&["TERM"]);
    server.hear("quit");
    let (code, stderr) = program.end();
    assert_eq!(code, Some(1));
    assert_eq!(stderr.matches("the log is lost: ").count(), 1, "{stderr}");
    assert!(
        stderr.contains("1 match(es) could not be written to /dev/full: "),
        "{stderr}"
    );
    assert!(stderr.contains("PB[bob]"), "{stderr}");
    // Nowhere to say anything: there is still the exit code.
    let code = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .args(["ggs", "--config", "/nowhere"])
        .stderr(std::fs::File::create("/dev/full").unwrap())
        .status();
    assert_eq!(code.unwrap().code(), Some(1));
}

#[test]
fn a_bad_configuration_is_named() {
    let folder = Folder::new("bad");
    let file = folder.0.join("ggs.toml");
    std::fs::write(folder.0.join("dollar"), "sword$fish\n").unwrap();
    for (text, message) in [
        ("server = 'x:1'", "missing field"),
        ("login = 'outflank'\nserver = 'x'\ngames = 'g'", "line 2"),
        (
            "server = 'x:1'\nlogin = 'outflank'\ngames = 'g'\npasword_file = 'y'",
            "pasword_file",
        ),
        (
            "server = 'x:1'\nlogin = 'outflank'\ngames = 'g'\npassword_file = 'nowhere'",
            "nowhere",
        ),
        (
            "server = 'x:1'\nlogin = 'outflank'\ngames = 'g'\n",
            "OUTFLANK_GGS_PASSWORD",
        ),
        (
            "server = 'x:1'\nlogin = 'outflank'\ngames = 'g'\npassword_file = 'dollar'",
            "dollar has a backslash or '$' in it",
        ),
        (
            "server = 'x:1'\nlogin = 'outflank'\ngames = 'g'\nlog = { file = './g' }",
            "games and log.file are one file",
        ),
    ] {
        std::fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_outflank"))
            .args(["ggs", "--config"])
            .arg(&file)
            .env_remove("OUTFLANK_GGS_PASSWORD")
            .output()
            .unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1));
        assert!(error.contains(message), "{error}");
    }
}
