//! `outflank ggs`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use tokio::sync::mpsc;

use super::signals::{Signal, Signals};
use super::{Global, Outcome, has_memory, logging};
use crate::engine::Engine;
use crate::session::ggs::{Config, Exit, Input, Mode, Options, RotatingFile, Secret, Thinker, run};

/// Table of an engine for a match that nobody asked for.
const SPARE_MIB: usize = 16;

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
        logging::hide(&secret);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        // The engine takes its time, and the user may change his mind meanwhile.
        let signals = runtime.block_on(async { Signals::new() })?;
        let engine = global.engine()?;
        let slots = if self.observe { 0 } else { config.play.slots() };
        let (hash_mib, threads) = (engine.hash_mib, engine.threads);
        if !has_memory(hash_mib.saturating_mul(slots)) {
            return Err(format!(
                "the tables of {slots} engines: the system has no {slots} times {hash_mib} MiB of memory to give"
            )
            .into());
        }
        let hidden = secret.clone();
        let options = Options {
            config,
            secret,
            mode: if self.observe { Mode::Observe } else { Mode::Play },
            threads,
            thinker: Arc::new(move |slot| {
                let mut engine = engine.clone();
                if slot >= slots {
                    engine.hash_mib = engine.hash_mib.min(SPARE_MIB);
                }
                Box::new(Engine::new(engine)) as Box<dyn Thinker>
            }),
        };
        let exit = runtime.block_on(async {
            let (sender, control) = mpsc::unbounded_channel();
            tokio::spawn(forward(signals, sender));
            run(options, control).await
        })?;
        // Engine threads may still be in a search that nobody waits for.
        runtime.shutdown_background();
        match exit {
            Exit::Done => Ok(ExitCode::SUCCESS),
            // It may quote the server.
            Exit::Failed(why) => Err(hidden.hide(&why).into()),
        }
    }
}

/// Hands on what the user or the system wants.
async fn forward(mut signals: Signals, control: mpsc::UnboundedSender<Input>) {
    loop {
        let input = match signals.next().await {
            Signal::Interrupt => Input::Leave,
            Signal::Terminate => Input::LeaveNow,
        };
        if control.send(input).is_err() {
            return;
        }
    }
}
