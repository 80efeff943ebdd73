//! The configuration file of `outflank ggs`.

use super::accept::Accept;
use outflank_protocol::clock::{ClockSetting, ClockTime};
use outflank_protocol::match_type::{BoardSize, MatchType, MatchTypeFault};
use serde::de::Error;
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
    #[serde(deserialize_with = "address")]
    pub server: String,
    /// The login name.
    #[serde(deserialize_with = "login")]
    pub login: String,
    /// A file whose first line is the password.
    #[serde(default, deserialize_with = "optional_file")]
    pub password_file: Option<PathBuf>,
    /// Every finished game is added to this file.
    #[serde(deserialize_with = "file")]
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
    #[serde(deserialize_with = "file")]
    pub file: PathBuf,
    /// Size at which a new one is begun, in MiB.
    #[serde(default = "ten", deserialize_with = "mebibytes")]
    pub max_mib: u64,
    /// Number of older ones that are kept.
    #[serde(default = "ten", deserialize_with = "files")]
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
    #[serde(deserialize_with = "matches")]
    pub matches: u32,
    /// Whether our own offers are rated.
    pub rated: bool,
    /// When to think on the opponent's time.
    pub ponder: Ponder,
    /// Part of the main time that is never planned for, against a slow network.
    #[serde(deserialize_with = "seconds")]
    pub lag_reserve: Duration,
}

impl Play {
    /// Engines for the matches that are agreed to: slots 0, 1 ...
    pub fn slots(&self) -> usize {
        usize::try_from(self.matches).unwrap_or(usize::MAX)
    }
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
    #[serde(rename = "type", deserialize_with = "offered_type")]
    pub match_type: MatchType,
    /// Both players' clocks.
    #[serde(deserialize_with = "offered_clock")]
    pub clock: ClockSetting,
    /// Who is asked; anyone if missing.
    #[serde(default, deserialize_with = "opponent")]
    pub opponent: Option<String>,
    /// Time from one try to the next, at least a minute.
    #[serde(deserialize_with = "waiting_time", default = "a_quarter_of_an_hour")]
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
    /// It is no TOML, or a line says something unknown or impossible. The line itself is not shown: a password may stand
    /// where none belongs.
    #[error("{path}: at line {line}: {message}")]
    Syntax {
        /// Its name.
        path: String,
        /// Where, counted from 1.
        line: usize,
        /// What.
        message: String,
    },
    /// Two lines name one file, and what is written there would spoil what is read.
    #[error("{path}: {one} and {other} are one file: {file}")]
    OneFile {
        /// The name of the configuration.
        path: String,
        /// What the file is to be.
        one: &'static str,
        /// What else it is to be.
        other: &'static str,
        /// The file.
        file: String,
    },
}

impl Config {
    /// Reads a file. File names in it count from its folder.
    ///
    /// # Errors
    /// If it is missing, misspelt or asks for what cannot be.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        let name = path.display().to_string();
        let text = crate::files::text(path).map_err(|error| ConfigError::File {
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
        config.check_files(path)?;
        Ok(config)
    }

    /// The files that are written to must be others than those that are read, and than each other.
    fn check_files(&self, path: &Path) -> Result<(), ConfigError> {
        let read = [
            ("the configuration", Some(path)),
            ("password_file", self.password_file.as_deref()),
        ];
        let games = ("games", Some(self.games.as_path()));
        let log = ("log.file", self.log.as_ref().map(|log| log.file.as_path()));
        for (written, others) in [(games, &read[..]), (log, &[read[0], read[1], games])] {
            for &(other, file) in others {
                if let (Some(one), Some(two)) = (written.1, file)
                    && is_one_file(one, two)
                {
                    return Err(ConfigError::OneFile {
                        path: path.display().to_string(),
                        one: other,
                        other: written.0,
                        file: two.display().to_string(),
                    });
                }
            }
        }
        Ok(())
    }

    /// Reads the text of a file; `path` is for messages only.
    ///
    /// # Errors
    /// As [`Config::load`].
    pub fn parse(path: &str, text: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| ConfigError::Syntax {
            path: path.to_owned(),
            line: {
                let before = error.span().and_then(|span| text.get(..span.start));
                before.unwrap_or_default().matches('\n').count() + 1
            },
            message: error.message().to_owned(),
        })
    }
}

/// Whether two names are those of one file, there already or not yet. A device or a pipe may well be named twice.
fn is_one_file(one: &Path, two: &Path) -> bool {
    let whole = |path: &Path| {
        path.canonicalize().ok().or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(folder.join(path.file_name()?))
        })
    };
    let one = whole(one);
    one.is_some() && one == whole(two) && one.is_some_and(|one| one.is_file() || !one.exists())
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

/// A value that is written as a string with a grammar of its own.
pub(super) fn text<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(from: D) -> Result<T, D::Error> {
    String::deserialize(from)?.parse().map_err(Error::custom)
}

/// The name of a file.
fn file<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    let path = PathBuf::deserialize(from)?;
    if path.as_os_str().is_empty() {
        return Err(Error::custom("'' is not the name of a file"));
    }
    Ok(path)
}

fn optional_file<'de, D: Deserializer<'de>>(from: D) -> Result<Option<PathBuf>, D::Error> {
    file(from).map(Some)
}

/// `host:port`.
fn address<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    let text = String::deserialize(from)?;
    let good = text.rsplit_once(':').is_some_and(|(host, port)| {
        !host.is_empty()
            && !host.contains(char::is_whitespace)
            && port.parse::<u16>().is_ok_and(|port| port > 0)
    });
    good.then_some(())
        .ok_or_else(|| Error::custom(format!("'{text}' is not host:port")))?;
    Ok(text)
}

fn login<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    login_name(String::deserialize(from)?)
}

fn opponent<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    login(from).map(Some)
}

/// Login names.
pub(super) fn logins<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    names.into_iter().map(login_name).collect()
}

fn login_name<E: Error>(name: String) -> Result<String, E> {
    let fits = (2..=8).contains(&name.chars().count())
        && name
            .chars()
            .all(|c| c.is_ascii_graphic() && c != ',' && c != '\\' && c != '$')
        && !name.starts_with(['.', '_']);
    if fits {
        return Ok(name);
    }
    Err(E::custom(format!(
        "'{name}' is not a login name: 2 to 8 printable characters without blank, comma, backslash, '$', and '.' or '_' in front"
    )))
}

/// A type of match that can be offered.
fn offered_type<'de, D: Deserializer<'de>>(from: D) -> Result<MatchType, D::Error> {
    let found: MatchType = text(from)?;
    let fault = |fault: &dyn Display| Error::custom(format!("offer of type {found}: {fault}"));
    found.check().map_err(|why| fault(&why))?;
    playable(&found).map_err(|why| fault(&why))?;
    Ok(found)
}

/// A clock that can be offered.
fn offered_clock<'de, D: Deserializer<'de>>(from: D) -> Result<ClockSetting, D::Error> {
    let clock: ClockSetting = text(from)?;
    let fault = |fault: &str| Err(Error::custom(format!("offer with clock {clock}: {fault}")));
    let zero = ClockTime::seconds(0);
    let parts = [clock.main, clock.increment, clock.extension];
    if parts.iter().flatten().any(|part| part.time < zero) {
        return fault("a time is negative");
    }
    if parts.iter().flatten().any(|part| part.moves == Some(0)) {
        return fault("a time is for no moves");
    }
    if clock.main.is_some_and(|main| main.time == zero && !main.neutral) {
        return fault("there is no main time");
    }
    Ok(clock)
}

fn waiting_time<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let time: ClockTime = text(from)?;
    if time.duration() < Duration::from_secs(60) {
        return Err(Error::custom(format!("{time} is less than a minute")));
    }
    Ok(time.duration())
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    let seconds = within(f64::deserialize(from)?, [0.0, 60.0])?;
    Duration::try_from_secs_f64(seconds).map_err(Error::custom)
}

fn matches<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    within(u32::deserialize(from)?, [1, 100])
}

fn mebibytes<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    within(u64::deserialize(from)?, [1, 1 << 20])
}

fn files<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    within(u64::deserialize(from)?, [0, 1000])
}

fn within<T: PartialOrd + Display, E: Error>(value: T, [low, high]: [T; 2]) -> Result<T, E> {
    if low <= value && value <= high {
        return Ok(value);
    }
    Err(E::custom(format!("{value} is not between {low} and {high}")))
}

/// The lower and the upper end of a range.
pub(super) fn in_order<T: PartialOrd + Display, E: Error>([low, high]: [T; 2]) -> Result<[T; 2], E> {
    if low <= high {
        return Ok([low, high]);
    }
    Err(E::custom(format!("the range from {low} to {high} is empty")))
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
                "'a b' is not a login",
            ),
            (
                "[[offer]]\ntype = '8'\nclock = '5'\n[[offer]]\ntype = 's8k'\nclock = '5'",
                "line 8",
            ),
            ("[accept]\nonly_from = ['zebra', 'a,b']", "'a,b' is not a login"),
            ("[accept]\nmain = ['5:00', '1:00']", "05:00 to 01:00 is empty"),
            ("[accept]\nrating = [2000.0, 1000.0]", "2000 to 1000 is empty"),
            ("[accept]\nrating = [nan, 1000.0]", "is empty"),
            ("[play]\nmatches = 0", "0 is not between 1 and 100"),
            ("[play]\nmatches = 101", "101 is not between"),
            ("[play]\nlag_reserve = -1.0", "-1 is not between 0 and 60"),
            ("[play]\nlag_reserve = nan", "is not between"),
            ("log = { file = 'x', max_mib = 0 }", "0 is not between"),
            (
                "log = { file = 'x', keep = 1000000000000 }",
                "is not between 0 and 1000",
            ),
            ("[[offer]]\ntype = '8'\nclock = '-5'", "a time is negative"),
            ("[[offer]]\ntype = '8'\nclock = '5//-2'", "a time is negative"),
            ("[[offer]]\ntype = '8'\nclock = '5,0'", "for no moves"),
            ("[[offer]]\ntype = '8'\nclock = '0//2'", "no main time"),
            ("[accept]\nmain = ['-1:00', '1:00']", "-01:00 is negative"),
            ("[accept]\nincrement = ['-1:00', '1:00']", "-01:00 is negative"),
            ("password_file = ''", "'' is not the name"),
            ("log = { file = '' }", "'' is not the name"),
            ("[accept]\ntypes = ['9']", "'9' is not a match type"),
            ("[accept]\ntypes = ['8', '10']", "type 10: only boards of 8x8"),
            ("[accept]\ntypes = ['8a']", "type 8a: anti"),
            ("[accept]\ntypes = ['8r']", "type 8r: a random start needs komi"),
            (
                "[accept]\ntypes = ['s8k']",
                "type s8k: a synchro match has no komi",
            ),
            (
                "[accept]\ntypes = ['s8r60']",
                "type s8r60: a random start needs 4 to",
            ),
            ("password = 'swordfish'", "unknown field `password`"),
        ] {
            let error = parse(more).unwrap_err();
            assert!(error.contains(message), "{error}");
            assert!(error.contains("test.toml"), "{error}");
            assert!(error.contains("at line "), "{error}");
            assert!(!error.contains("swordfish"), "{error}");
        }
        let error = Config::parse("x", &SMALL.replace("games.ggf", "")).unwrap_err();
        assert!(error.to_string().contains("at line 3: ''"), "{error}");
        for (from, to) in [
            ("outflank", "_hidden"),
            ("localhost:5000", "localhost"),
            ("localhost:5000", ":5000"),
            ("localhost:5000", "localhost:0"),
            ("localhost:5000", "localhost:telnet"),
        ] {
            let error = Config::parse("x", &SMALL.replace(from, to))
                .unwrap_err()
                .to_string();
            assert!(
                error.contains(&format!("'{to}' is not")) && error.contains("at line "),
                "{error}"
            );
        }
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
        // None of them is another one.
        for (more, message) in [
            (
                "log = { file = 'games.ggf' }",
                "games and log.file are one file: ",
            ),
            (
                "log = { file = './ggs.toml' }",
                "the configuration and log.file are one file: ",
            ),
            (
                "password_file = 'games.ggf'",
                "password_file and games are one file: ",
            ),
            (
                "password_file = 'secret'\nlog = { file = 'secret' }",
                "password_file and log.file are one file: ",
            ),
        ] {
            std::fs::write(&path, format!("{SMALL}{more}\n")).unwrap();
            let error = Config::load(&path).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(Config::load(&path).is_err());
    }
}
