//! The configuration file of `outflank ggs`.

use super::accept::Accept;
use outflank_protocol::clock::{ClockSetting, ClockTime};
use outflank_protocol::match_type::{BoardSize, MatchType, MatchTypeFault};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Everything that the file can say; see `docs/ggs.md` for the meaning of each line.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// `host:port`.
    pub server: String,
    /// The login name.
    pub login: String,
    /// A file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// Every finished game is added to this file.
    pub games: PathBuf,
    /// The log file; without it nothing is logged unless `--log` asks for it.
    pub log: Option<LogFile>,
    /// How to play.
    #[serde(default)]
    pub play: Play,
    /// Which requests to accept.
    #[serde(default)]
    pub accept: Accept,
    /// What to offer.
    #[serde(default, rename = "offer")]
    pub offers: Vec<StandingOffer>,
    /// What to agree to in a match.
    #[serde(default)]
    pub answers: Answers,
}

/// A log that is continued in a new file when it is full.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogFile {
    /// The newest file; older ones have `.1`, `.2` ... after the name.
    pub file: PathBuf,
    /// Size at which a new one is begun, in MiB.
    #[serde(default = "ten")]
    pub max_mib: u64,
    /// Number of older ones that are kept.
    #[serde(default = "ten")]
    pub keep: u64,
}

const fn ten() -> u64 {
    10
}

/// When to think on the opponent's time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ponder {
    /// If the machine has a core more than the searches need.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// How to play.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Play {
    /// Most matches at once.
    pub matches: u32,
    /// Whether our own offers are rated.
    pub rated: bool,
    /// When to think on the opponent's time.
    pub ponder: Ponder,
    /// Part of the main time that is never planned for, against a slow network.
    #[serde(deserialize_with = "seconds")]
    pub lag_reserve: Duration,
}

impl Default for Play {
    fn default() -> Self {
        Self {
            matches: 1,
            rated: true,
            ponder: Ponder::Auto,
            lag_reserve: Duration::from_millis(500),
        }
    }
}

/// A match that is offered again and again.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandingOffer {
    /// The type of match.
    #[serde(rename = "type", deserialize_with = "text")]
    pub match_type: MatchType,
    /// Both players' clocks.
    #[serde(deserialize_with = "text")]
    pub clock: ClockSetting,
    /// Who is asked; anyone if missing.
    pub opponent: Option<String>,
    /// Time from one try to the next, at least a minute.
    #[serde(deserialize_with = "clock_time", default = "a_quarter_of_an_hour")]
    pub every: Duration,
}

const fn a_quarter_of_an_hour() -> Duration {
    Duration::from_secs(900)
}

/// In which matches something is agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agree {
    /// In none.
    Never,
    /// In those that are not rated.
    Unrated,
    /// In all.
    Always,
}

/// What to agree to in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Answers {
    /// To break the match off without a result.
    pub abort: Agree,
    /// To take the opponent's last move back.
    pub undo: Agree,
    /// To end with the exact score that the rest of the game is worth.
    pub score: bool,
}

impl Default for Answers {
    fn default() -> Self {
        Self {
            abort: Agree::Unrated,
            undo: Agree::Unrated,
            score: true,
        }
    }
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration {path}: {error}")]
    File {
        /// Its name.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is no TOML, or a line says something unknown.
    #[error("{path}: {error}")]
    Syntax {
        /// Its name.
        path: String,
        /// Where and what.
        error: Box<toml::de::Error>,
    },
    /// A value cannot be meant.
    #[error("{path}: {what}")]
    Value {
        /// Its name.
        path: String,
        /// What.
        what: String,
    },
}

impl Config {
    /// Reads a file. File names in it count from its folder.
    ///
    /// # Errors
    /// If it is missing, misspelt or asks for what cannot be.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError::File {
            path: name.clone(),
            error,
        })?;
        let mut config = Self::parse(&name, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        config.games = folder.join(&config.games);
        config.password_file = config.password_file.map(|file| folder.join(file));
        if let Some(log) = &mut config.log {
            log.file = folder.join(&log.file);
        }
        Ok(config)
    }

    /// Reads the text of a file; `path` is for messages only.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn parse(path: &str, text: &str) -> Result<Self, ConfigError> {
        let config: Self = toml::from_str(text).map_err(|error| ConfigError::Syntax {
            path: path.to_owned(),
            error: Box::new(error),
        })?;
        match config.fault() {
            None => Ok(config),
            Some(what) => Err(ConfigError::Value {
                path: path.to_owned(),
                what,
            }),
        }
    }

    fn fault(&self) -> Option<String> {
        if !is_login(&self.login) {
            return Some(format!(
                "login '{}' is not 2 to 8 printable characters without blank, comma, and '.' or '_' in front",
                self.login
            ));
        }
        if self.play.matches > 100 {
            return Some(format!("play.matches {} is above 100", self.play.matches));
        }
        if self.play.lag_reserve > Duration::from_secs(60) {
            return Some("play.lag_reserve is above a minute".to_owned());
        }
        self.offers.iter().find_map(|offer| {
            let name = offer.match_type;
            if let Err(fault) = name.check() {
                return Some(format!("offer of type {name}: {fault}"));
            }
            if let Err(fault) = playable(&name) {
                return Some(format!("offer of type {name}: {fault}"));
            }
            if offer.every < Duration::from_secs(60) {
                return Some(format!("offer of type {name}: every is less than a minute"));
            }
            let opponent = offer.opponent.as_ref().filter(|name| !is_login(name));
            opponent.map(|name| format!("offer to '{name}', which is not a login name"))
        })
    }
}

/// Whether this program plays matches of this type at all.
pub(super) fn playable(match_type: &MatchType) -> Result<(), Unplayable> {
    if match_type.board != BoardSize::Eight {
        return Err(Unplayable::Board);
    }
    if match_type.anti {
        return Err(Unplayable::Anti);
    }
    match match_type.check() {
        // Colour wishes of the other side are no concern of ours.
        Ok(()) | Err(MatchTypeFault::ColorWish) => Ok(()),
        Err(fault) => Err(Unplayable::Type(fault)),
    }
}

/// Why a type of match is not played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unplayable {
    /// Another board.
    #[error("only boards of 8x8 are played")]
    Board,
    /// Fewer discs win.
    #[error("anti games are not played")]
    Anti,
    /// No server would start it.
    #[error("{0}")]
    Type(MatchTypeFault),
}

fn is_login(name: &str) -> bool {
    (2..=8).contains(&name.chars().count())
        && name
            .chars()
            .all(|c| c.is_ascii_graphic() && c != ',' && c != '\\' && c != '$')
        && !name.starts_with(['.', '_'])
}

/// A value that is written as a string with a grammar of its own.
pub(super) fn text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?
        .parse()
        .map_err(serde::de::Error::custom)
}

fn clock_time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    text::<_, ClockTime>(from).map(ClockTime::duration)
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    Duration::try_from_secs_f64(f64::deserialize(from)?).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "server = 'localhost:5000'\nlogin = 'outflank'\ngames = 'games.ggf'\n";

    fn parse(more: &str) -> Result<Config, String> {
        Config::parse("test.toml", &format!("{SMALL}{more}")).map_err(|error| error.to_string())
    }

    #[test]
    fn little_has_to_be_said() {
        let config = parse("").unwrap();
        assert_eq!(config.play, Play::default());
        assert!(config.offers.is_empty() && config.log.is_none());
        assert_eq!(config.answers, Answers::default());
    }

    #[test]
    fn everything_can_be_said() {
        let config = parse(
            "password_file = 'secret'
             log = { file = 'ggs.log', max_mib = 5, keep = 3 }
             [play]
             matches = 2
             rated = false
             ponder = 'never'
             lag_reserve = 0.25
             [accept]
             types = ['8', 's8r', '8kr20']
             main = ['0:05', '30:00']
             rated = 'unrated'
             not_from = ['bully']
             [[offer]]
             type = 's8r20'
             clock = '5//2'
             opponent = 'zebra'
             every = '10:00'
             [[offer]]
             type = '8'
             clock = '15'
             [answers]
             abort = 'always'
             undo = 'never'
             score = false",
        )
        .unwrap();
        assert_eq!(config.play.lag_reserve, Duration::from_millis(250));
        assert_eq!(config.offers.len(), 2);
        assert_eq!(config.offers[0].every, Duration::from_secs(600));
        assert_eq!(config.offers[0].clock.to_string(), "05:00//02:00");
        assert_eq!(config.log.unwrap().keep, 3);
    }

    #[test]
    fn a_mistake_is_named_with_its_place() {
        for (more, message) in [
            ("[play]\nmatchs = 1", "matchs"),
            ("[play]\nponder = 'often'", "often"),
            ("[[offer]]\ntype = '8r20'\nclock = '5'", "random start needs komi"),
            ("[[offer]]\ntype = '8a'\nclock = '5'", "anti"),
            ("[[offer]]\ntype = '10'\nclock = '5'", "8x8"),
            ("[[offer]]\ntype = '8'\nclock = 'five'", "'five' is not a clock"),
            (
                "[[offer]]\ntype = '8'\nclock = '5'\nevery = '0:30'",
                "less than a minute",
            ),
            (
                "[[offer]]\ntype = '8'\nclock = '5'\nopponent = 'a b'",
                "not a login",
            ),
            ("[accept]\ntypes = ['9']", "'9' is not a match type"),
            ("password = 'x'", "password"),
        ] {
            let error = parse(more).unwrap_err();
            assert!(error.contains(message), "{error}");
            assert!(error.contains("test.toml"), "{error}");
        }
        let error = Config::parse("x", &SMALL.replace("outflank", "_hidden")).unwrap_err();
        assert!(error.to_string().contains("_hidden"));
    }

    #[test]
    fn file_names_count_from_the_folder_of_the_file() {
        let folder = std::env::temp_dir().join(format!("outflank-config-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("ggs.toml");
        std::fs::write(&path, format!("{SMALL}password_file = 'secret'\n")).unwrap();
        let config = Config::load(&path).unwrap();
        assert_eq!(config.games, folder.join("games.ggf"));
        assert_eq!(config.password_file, Some(folder.join("secret")));
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(Config::load(&path).is_err());
    }
}
