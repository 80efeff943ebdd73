//! What a controller can ask for.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::line_error::LineError;
use crate::played::number;
use crate::scan::{Scan, short};
use crate::vocab::{Color, Move};

/// One command with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `protocol_version`
    ProtocolVersion,
    /// `name`
    Name,
    /// `version`
    Version,
    /// `known_command NAME`
    KnownCommand(String),
    /// `list_commands`
    ListCommands,
    /// `quit`
    Quit,
    /// `boardsize N`
    BoardSize(u32),
    /// `clear_board`
    ClearBoard,
    /// `komi N`
    Komi(f64),
    /// `play COLOR MOVE`
    Play(Color, Move),
    /// `genmove COLOR`: choose a move and play it.
    Genmove(Color),
    /// `reg_genmove COLOR`: choose a move, but do not play it.
    RegGenmove(Color),
    /// `undo`
    Undo,
    /// `time_settings MAIN PERIOD STONES`
    TimeSettings(TimeSettings),
    /// `time_left COLOR SECONDS STONES`
    TimeLeft {
        /// Whose clock it is.
        color: Color,
        /// What is left of the main time, or of the present period; zero for a clock that is overdrawn.
        time: Duration,
        /// Moves to make in the present period; 0 while the main time runs.
        stones: u32,
    },
    /// `final_score`
    FinalScore,
    /// `showboard`
    ShowBoard,
    /// `loadsgf FILE [NUMBER]`
    LoadSgf {
        /// The file, which may have blanks in its name.
        file: String,
        /// Stop before this move, counted from 1.
        before: Option<u32>,
    },
    /// `set_game NAME`
    SetGame(String),
    /// `list_games`
    ListGames,
    /// `gogui-rules_game_id`
    RulesGameId,
    /// `gogui-rules_board`
    RulesBoard,
    /// `gogui-rules_board_size`
    RulesBoardSize,
    /// `gogui-rules_legal_moves`
    RulesLegalMoves,
    /// `gogui-rules_side_to_move`
    RulesSideToMove,
    /// `gogui-rules_final_result`
    RulesFinalResult,
    /// `gogui-interrupt`: does nothing; that it is known tells GoGui that the comment `# interrupt` stops a search.
    Interrupt,
}

/// The arguments of `time_settings`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TimeSettings {
    /// Main time for all moves of a player.
    pub main: Duration,
    /// Length of a period after the main time.
    pub period: Duration,
    /// Moves to make in each period. 0 with a period means that there is no limit at all; 0 without one, that there are no
    /// periods.
    pub stones: u32,
}

/// The longest time that is read: about a year.
const MAX_SECONDS: f64 = 3e7;

/// Whole seconds, or with decimals as some controllers send them; milliseconds count.
fn seconds(word: &str) -> Option<Duration> {
    let seconds = number(word).filter(|s| (0.0..=MAX_SECONDS).contains(s))?;
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

/// The same, below zero as zero.
fn seconds_left(word: &str) -> Option<Duration> {
    match number(word) {
        Some(overdrawn) if overdrawn < 0.0 => Some(Duration::ZERO),
        _ => seconds(word),
    }
}

fn color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

const COLOR: &str = "a colour b, w, black or white";
const SECONDS: &str = "a number of seconds";
const STONES: &str = "a number of stones, at least 0";

impl Command {
    /// Every command, in the order of `list_commands`.
    pub const NAMES: [&str; 27] = [
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
        "reg_genmove",
        "undo",
        "time_settings",
        "time_left",
        "final_score",
        "showboard",
        "loadsgf",
        "set_game",
        "list_games",
        "gogui-rules_game_id",
        "gogui-rules_board",
        "gogui-rules_board_size",
        "gogui-rules_legal_moves",
        "gogui-rules_side_to_move",
        "gogui-rules_final_result",
        "gogui-interrupt",
    ];

    /// The name, one of [`Command::NAMES`].
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ProtocolVersion => "protocol_version",
            Self::Name => "name",
            Self::Version => "version",
            Self::KnownCommand(_) => "known_command",
            Self::ListCommands => "list_commands",
            Self::Quit => "quit",
            Self::BoardSize(_) => "boardsize",
            Self::ClearBoard => "clear_board",
            Self::Komi(_) => "komi",
            Self::Play(..) => "play",
            Self::Genmove(_) => "genmove",
            Self::RegGenmove(_) => "reg_genmove",
            Self::Undo => "undo",
            Self::TimeSettings(_) => "time_settings",
            Self::TimeLeft { .. } => "time_left",
            Self::FinalScore => "final_score",
            Self::ShowBoard => "showboard",
            Self::LoadSgf { .. } => "loadsgf",
            Self::SetGame(_) => "set_game",
            Self::ListGames => "list_games",
            Self::RulesGameId => "gogui-rules_game_id",
            Self::RulesBoard => "gogui-rules_board",
            Self::RulesBoardSize => "gogui-rules_board_size",
            Self::RulesLegalMoves => "gogui-rules_legal_moves",
            Self::RulesSideToMove => "gogui-rules_side_to_move",
            Self::RulesFinalResult => "gogui-rules_final_result",
            Self::Interrupt => "gogui-interrupt",
        }
    }
}

impl FromStr for Command {
    type Err = LineError;

    /// Names and colours in either case.
    fn from_str(line: &str) -> Result<Self, LineError> {
        let mut scan = Scan::new(line);
        let word = scan.word();
        let known = Self::NAMES
            .into_iter()
            .find(|name| name.eq_ignore_ascii_case(word));
        let name = known.ok_or_else(|| LineError::Unknown(short(word)))?;
        let scan = scan.command(name);
        let command = match name {
            "protocol_version" => Self::ProtocolVersion,
            "name" => Self::Name,
            "version" => Self::Version,
            "known_command" => Self::KnownCommand(scan.argument("a command name")?),
            "list_commands" => Self::ListCommands,
            "quit" => Self::Quit,
            "boardsize" => Self::BoardSize(scan.argument("a whole number of at least 0")?),
            "clear_board" => Self::ClearBoard,
            "komi" => Self::Komi(scan.argument_with("a number", number)?),
            "play" => {
                let color = scan.argument_with(COLOR, color)?;
                Self::Play(color, scan.argument("a square a1..h8 or pass")?)
            }
            "genmove" => Self::Genmove(scan.argument_with(COLOR, color)?),
            "reg_genmove" => Self::RegGenmove(scan.argument_with(COLOR, color)?),
            "undo" => Self::Undo,
            "time_settings" => Self::TimeSettings(TimeSettings {
                main: scan.argument_with(SECONDS, seconds)?,
                period: scan.argument_with(SECONDS, seconds)?,
                stones: scan.argument(STONES)?,
            }),
            "time_left" => Self::TimeLeft {
                color: scan.argument_with(COLOR, color)?,
                time: scan.argument_with(SECONDS, seconds_left)?,
                stones: scan.argument(STONES)?,
            },
            "final_score" => Self::FinalScore,
            "showboard" => Self::ShowBoard,
            "loadsgf" => load(scan.rest("a file name")?),
            "set_game" => Self::SetGame(scan.rest("the name of a game")?.into()),
            "list_games" => Self::ListGames,
            "gogui-rules_game_id" => Self::RulesGameId,
            "gogui-rules_board" => Self::RulesBoard,
            "gogui-rules_board_size" => Self::RulesBoardSize,
            "gogui-rules_legal_moves" => Self::RulesLegalMoves,
            "gogui-rules_side_to_move" => Self::RulesSideToMove,
            "gogui-rules_final_result" => Self::RulesFinalResult,
            "gogui-interrupt" => Self::Interrupt,
            _ => return Err(LineError::Unknown(short(word))),
        };
        scan.end(command)
    }
}

/// `FILE [NUMBER]`: a number at the end is no part of the file name.
fn load(text: &str) -> Command {
    let numbered = text
        .rsplit_once(char::is_whitespace)
        .and_then(|(file, last)| Some((file.trim_end(), last.parse().ok()?)));
    let (file, before) = numbered.map_or((text, None), |(file, before)| (file, Some(before)));
    Command::LoadSgf {
        file: file.into(),
        before,
    }
}

/// Whole seconds as the protocol wants them, else with three decimals.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.subsec_millis() {
            0 => write!(f, "{}", self.0.as_secs()),
            millis => write!(f, "{}.{millis:03}", self.0.as_secs()),
        }
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'b',
        Color::White => 'w',
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::KnownCommand(name) | Self::SetGame(name) => write!(f, " {name}"),
            Self::BoardSize(size) => write!(f, " {size}"),
            Self::Komi(komi) => write!(f, " {komi}"),
            Self::Play(color, Move::Pass) => write!(f, " {} pass", letter(*color)),
            Self::Play(color, mv) => write!(f, " {} {mv}", letter(*color)),
            Self::Genmove(color) | Self::RegGenmove(color) => write!(f, " {}", letter(*color)),
            Self::TimeSettings(TimeSettings { main, period, stones }) => {
                write!(f, " {} {} {stones}", Seconds(*main), Seconds(*period))
            }
            Self::TimeLeft { color, time, stones } => {
                write!(f, " {} {} {stones}", letter(*color), Seconds(*time))
            }
            Self::LoadSgf { file, before } => {
                write!(f, " {file}")?;
                before.map_or(Ok(()), |number| write!(f, " {number}"))
            }
            _ => Ok(()),
        }
    }
}
