//! `outflank ggs`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use tokio::sync::mpsc;

use super::{Global, Outcome, logging};
use crate::engine::Engine;
use crate::session::ggs::{Config, Exit, Input, Mode, Options, RotatingFile, Secret, Thinker, run};

/// Play on the Generic Game Server.
///
/// Ctrl-C ends the program after the matches in progress, a second one (or SIGTERM) at once. The password comes from the
/// file that the configuration names or from OUTFLANK_GGS_PASSWORD.
#[derive(Debug, Args)]
pub struct Ggs {
    /// The configuration, see docs/ggs.md
    #[arg(long, value_name = "FILE", default_value = "ggs.toml")]
    config: PathBuf,
    /// Never play: watch the matches of others and keep their records
    #[arg(long)]
    observe: bool,
}

impl Ggs {
    /// Plays until it is told to end.
    pub fn run(self, global: &Global) -> Outcome {
        let config = Config::load(&self.config)?;
        match (&global.log, &config.log) {
            (Some(_), _) => {}
            (None, Some(log)) => {
                let file = RotatingFile::open(&log.file, log.max_mib << 20, log.keep)
                    .map_err(|error| format!("cannot log to '{}': {error}", log.file.display()))?;
                logging::start_in(Box::new(file))?;
            }
            // Who runs it in a terminal wants to see that it does something.
            (None, None) => logging::start(Some("info"))?,
        }
        let secret = Secret::load(config.password_file.as_deref())?;
        let engine = global.engine()?;
        let options = Options {
            config,
            secret,
            mode: if self.observe { Mode::Observe } else { Mode::Play },
            threads: engine.threads,
            thinker: Arc::new(move || Box::new(Engine::new(engine.clone())) as Box<dyn Thinker>),
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let exit = runtime.block_on(async {
            let (sender, control) = mpsc::unbounded_channel();
            tokio::spawn(signals(sender));
            run(options, control).await
        })?;
        // Engine threads may still be in a search that nobody waits for.
        runtime.shutdown_background();
        match exit {
            Exit::Done => Ok(ExitCode::SUCCESS),
            Exit::Failed(why) => Err(why.into()),
        }
    }
}

/// Hands on what the user or the system wants.
async fn signals(control: mpsc::UnboundedSender<Input>) {
    loop {
        tokio::select! {
            interrupt = tokio::signal::ctrl_c() => {
                if interrupt.is_err() || control.send(Input::Leave).is_err() {
                    return;
                }
            }
            () = termination() => {
                if control.send(Input::LeaveNow).is_err() {
                    return;
                }
            }
        }
    }
}

/// Waits for SIGTERM.
#[cfg(unix)]
async fn termination() {
    use tokio::signal::unix::{SignalKind, signal};
    match signal(SignalKind::terminate()) {
        Ok(mut signal) => {
            signal.recv().await;
        }
        Err(_) => std::future::pending().await,
    }
}

/// There is no such signal here.
#[cfg(not(unix))]
async fn termination() {
    std::future::pending().await
}
