//! Messages of the Othello service: everything after `/os:`.

use super::PlayedMove;
use super::board::{BoardHeader, Join, Update, compact_join, compact_update};
use super::ids::{GameId, MatchId, RequestId, StoredId};
use super::matches::{GameEnd, MatchLine, MatchResult, StoredMatch};
use super::message::body_lines;
use super::notice::{
    MatchChat, PlayRefusal, Proposal, RatingChange, TimeOut, TrustViolation, missing_match, missing_request,
};
use super::request::Request;
use super::words::{keyword, line, parsed, rest, word};
use crate::ggf;
use crate::match_type::{BoardSize, MatchType};
use std::fmt;

/// A message of the Othello service.
#[derive(Clone, Debug, PartialEq)]
pub enum Os {
    /// `join`: a whole game on 8x8.
    Join(Box<Join>),
    /// `update`: a move on 8x8.
    Update(Box<Update>),
    /// `join` or `update` of a game on another board.
    OtherBoard {
        /// The game.
        game: GameId,
        /// Its type.
        match_type: MatchType,
    },
    /// `join` with `client +`: the record as GGF text.
    CompactJoin {
        /// The game.
        game: GameId,
        /// The record so far.
        record: Box<ggf::Game>,
    },
    /// `update` with `client +`.
    CompactUpdate {
        /// The game.
        game: GameId,
        /// The move.
        played: PlayedMove,
    },
    /// `+ .2 ...`: there is a new request.
    Requested(Request),
    /// `- .2 ...`: a request is gone, whatever became of it.
    Withdrawn(Request),
    /// `+ match ...`: a match begins or resumes.
    MatchStart(MatchLine),
    /// `- match ...`: it is over.
    MatchEnd {
        /// The match, with the ratings after it.
        line: MatchLine,
        /// Its result.
        result: MatchResult,
        /// Where it is archived or stored, if it is.
        stored: Option<StoredId>,
    },
    /// `end ...`: one game of a synchro match is over.
    GameEnd(GameEnd),
    /// `timeout` and `fatal-timeout`.
    TimeOut(TimeOut),
    /// `trust-violation`.
    TrustViolation(TrustViolation),
    /// `abort`, `undo` or `score`: a player proposes something.
    Proposal {
        /// What.
        what: Proposal,
        /// The game, or the match.
        game: GameId,
        /// Who.
        name: String,
    },
    /// `rating_update`.
    RatingUpdate {
        /// The match.
        of: MatchId,
        /// The players.
        changes: Vec<RatingChange>,
    },
    /// `error`: a command about a game was refused.
    PlayRefused(PlayRefusal),
    /// `ERR match '.3' not found.`
    NoSuchMatch(GameId),
    /// `ERR request '.3' not found.`
    NoSuchRequest(RequestId),
    /// `ERR` with any other text.
    Refused(String),
    /// `decline ERR not found: .3`: a named command was refused.
    CommandRefused {
        /// The command.
        command: String,
        /// The words after `ERR`.
        text: String,
    },
    /// Chat at a match.
    Chat(MatchChat),
    /// `+ alice watch .19`, `- alice watch .19`: someone begins or ceases to watch.
    Watch {
        /// Begins.
        on: bool,
        /// Who.
        name: String,
        /// The match.
        of: MatchId,
    },
    /// `stored ...`: the list of stored matches.
    StoredList {
        /// The rest of the header.
        header: String,
        /// Its lines.
        matches: Vec<StoredMatch>,
    },
    /// Anything else: the text after the prefix, lines joined by line feeds.
    Text(String),
}

impl Os {
    /// Reads what follows `/os:` in a header, with the whole message for its other lines.
    pub(super) fn read(header: &str, text: &str) -> Self {
        Self::typed(header, text).unwrap_or_else(|| {
            let mut kept = header.trim_matches(' ').to_owned();
            for line in text.split('\n').skip(1) {
                kept.push('\n');
                kept.push_str(line);
            }
            Self::Text(kept)
        })
    }

    fn typed(header: &str, text: &str) -> Option<Self> {
        let (after, first) = word(header).ok()?;
        match first {
            "+" | "-" => return Self::signed(first == "+", after),
            "join" => {
                return BoardHeader::read(after)
                    .and_then(|header| {
                        other_board(header).or_else(|| Some(Self::Join(Box::new(Join::read(header, text)?))))
                    })
                    .or_else(|| {
                        compact_join(after, text).map(|(game, record)| Self::CompactJoin {
                            game,
                            record: Box::new(record),
                        })
                    });
            }
            "stored" => {
                if let Some(matches) = body_lines(text).map(StoredMatch::read).collect() {
                    return Some(Self::StoredList {
                        header: after.trim_matches(' ').to_owned(),
                        matches,
                    });
                }
            }
            "update" => {
                if let Some(header) = BoardHeader::read(after) {
                    return other_board(header)
                        .or_else(|| Some(Self::Update(Box::new(Update::read(header, text)?))));
                }
            }
            "rating_update" => {
                return Some(Self::RatingUpdate {
                    of: line(parsed, after)?,
                    changes: body_lines(text).map(RatingChange::read).collect::<Option<_>>()?,
                });
            }
            _ if first.starts_with('.') => {
                let more: String = body_lines(text).flat_map(|line| ["\n", line]).collect();
                return MatchChat::read(header, &more).map(Self::Chat);
            }
            _ => {}
        }
        // All others are a single line.
        if text.contains('\n') {
            return None;
        }
        Self::one_line(first, after)
    }

    fn one_line(first: &str, after: &str) -> Option<Self> {
        let proposal = |what| Proposal::read(after).map(|(game, name)| Self::Proposal { what, game, name });
        match first {
            "update" => compact_update(after).map(|(game, played)| Self::CompactUpdate { game, played }),
            "end" => GameEnd::read(after).map(Self::GameEnd),
            "timeout" => TimeOut::read(false, after).map(Self::TimeOut),
            "fatal-timeout" => TimeOut::read(true, after).map(Self::TimeOut),
            "trust-violation" => TrustViolation::read(after).map(Self::TrustViolation),
            "abort" if !is_refusal(after) => proposal(Proposal::Abort),
            "undo" if !is_refusal(after) => proposal(Proposal::Undo),
            "score" if !is_refusal(after) => proposal(Proposal::Score),
            "error" => PlayRefusal::read(after).map(Self::PlayRefused),
            "ERR" => Some(if let Some(id) = missing_match(after) {
                Self::NoSuchMatch(id)
            } else if let Some(id) = missing_request(after) {
                Self::NoSuchRequest(id)
            } else {
                Self::Refused(after.trim_matches(' ').to_owned())
            }),
            _ => {
                let (_, text) = line((keyword("ERR"), rest), after)?;
                Some(Self::CommandRefused {
                    command: first.to_owned(),
                    text: text.to_owned(),
                })
            }
        }
    }

    fn signed(plus: bool, after: &str) -> Option<Self> {
        let (rest, second) = word(after).ok()?;
        if second.starts_with('.') {
            let request = Request::read(after)?;
            return Some(if plus {
                Self::Requested(request)
            } else {
                Self::Withdrawn(request)
            });
        }
        // A player may be named "match": his lines go on with a word, those of matches with an id.
        if let Some((name, _, of)) = line((word, keyword("watch"), parsed), after) {
            return Some(Self::Watch {
                on: plus,
                name: name.to_owned(),
                of,
            });
        }
        if second != "match" {
            return None;
        }
        if plus {
            MatchLine::read_start(rest).map(Self::MatchStart)
        } else {
            MatchLine::read_end(rest).map(|(line, result, stored)| Self::MatchEnd { line, result, stored })
        }
    }
}

fn is_refusal(after: &str) -> bool {
    word(after).is_ok_and(|(_, second)| second == "ERR")
}

fn other_board(header: BoardHeader) -> Option<Os> {
    (header.match_type.board != BoardSize::Eight).then_some(Os::OtherBoard {
        game: header.game,
        match_type: header.match_type,
    })
}

/// The message after its prefix, lines joined by line feeds.
impl fmt::Display for Os {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Join(join) => write!(f, "join {join}"),
            Self::Update(update) => write!(f, "update {update}"),
            Self::OtherBoard { game, match_type } => write!(f, "join {game} {match_type} K?"),
            Self::CompactJoin { game, record } => write!(f, "join {game} {record}"),
            Self::CompactUpdate { game, played } => write!(f, "update {game} {played}"),
            Self::Requested(request) => write!(f, "+ {request}"),
            Self::Withdrawn(request) => write!(f, "- {request}"),
            Self::MatchStart(line) => write!(f, "+ match {line}"),
            Self::MatchEnd { line, result, stored } => {
                write!(f, "- match {line} {result}")?;
                stored.map_or(Ok(()), |stored| write!(f, " {stored}"))
            }
            Self::GameEnd(end) => write!(f, "end {end}"),
            Self::TimeOut(time_out) => write!(f, "{time_out}"),
            Self::TrustViolation(violation) => write!(f, "{violation}"),
            Self::Proposal { what, game, name } => {
                write!(f, "{} {game} {name} is {}", what.word(), what.verb())
            }
            Self::RatingUpdate { of, changes } => {
                write!(f, "rating_update {of}")?;
                changes.iter().try_for_each(|change| write!(f, "\n|{change}"))
            }
            Self::PlayRefused(refusal) => write!(f, "error {} {}", refusal.game, refusal.text),
            Self::NoSuchMatch(id) => write!(f, "ERR match '{id}' not found."),
            Self::NoSuchRequest(id) => write!(f, "ERR request '{id}' not found."),
            Self::Refused(text) => write!(f, "ERR {text}"),
            Self::CommandRefused { command, text } => write!(f, "{command} ERR {text}"),
            Self::Chat(chat) => write!(f, "{chat}"),
            Self::Watch { on, name, of } => write!(f, "{} {name} watch {of}", if *on { '+' } else { '-' }),
            Self::StoredList { header, matches } => {
                write!(f, "stored {header}")?;
                matches.iter().try_for_each(|stored| write!(f, "\n|{stored}"))
            }
            Self::Text(text) => f.write_str(text),
        }
    }
}
