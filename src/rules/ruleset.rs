//! The names of the rule sets.

use std::fmt;
use std::str::FromStr;

/// What the players have agreed to play.
///
/// The text form is a name: `othello`, `free[,pass=allowed][,capture=required]` (options in any order) or `classic`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// The tournament game.
    #[default]
    Othello,
    /// Casual computer Reversi: a disc may go on any empty square that touches another disc.
    Free {
        /// A player may pass although moves exist; two passes in a row end the game.
        pass_allowed: bool,
        /// Only moves that outflank something are legal; a player without one passes.
        capture_required: bool,
    },
    /// Reversi of the 1880s: an empty board, the centre first, 32 discs a player.
    Classic,
}

/// The text is not the name of a rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// The first word is none of the three names.
    #[error("unknown rule set '{0}' (known: othello, free[,pass=allowed][,capture=required], classic)")]
    Name(String),
    /// `free` knows no such option.
    #[error("unknown option '{0}' of rule set 'free' (known: pass=allowed, capture=required)")]
    Option(String),
    /// An option of `free` stands there more than once.
    #[error("option '{0}' of rule set 'free' is given twice")]
    Twice(&'static str),
    /// `othello` and `classic` have no options.
    #[error("rule set '{name}' has no options, but '{option}' is given")]
    NoOptions {
        /// The rule set.
        name: &'static str,
        /// What follows the comma, shortened if it is long.
        option: String,
    },
}

impl Rules {
    /// Every rule set, each combination of the options once, in the order of the rules page.
    pub const ALL: [Self; 6] = [
        Self::Othello,
        Self::free(false, false),
        Self::free(true, false),
        Self::free(false, true),
        Self::free(true, true),
        Self::Classic,
    ];

    const fn free(pass_allowed: bool, capture_required: bool) -> Self {
        Self::Free {
            pass_allowed,
            capture_required,
        }
    }

    /// True if every position is played exactly as in `othello`, so that its fast paths hold: `othello` itself and
    /// `free,capture=required`.
    #[inline]
    pub const fn plays_as_othello(self) -> bool {
        matches!(
            self,
            Self::Othello
                | Self::Free {
                    pass_allowed: false,
                    capture_required: true
                }
        )
    }

    /// True if a player may pass although moves exist.
    #[inline]
    pub const fn pass_allowed(self) -> bool {
        matches!(
            self,
            Self::Free {
                pass_allowed: true,
                ..
            }
        )
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Othello => f.write_str("othello"),
            Self::Classic => f.write_str("classic"),
            Self::Free {
                pass_allowed,
                capture_required,
            } => {
                f.write_str("free")?;
                f.write_str(if pass_allowed { ",pass=allowed" } else { "" })?;
                f.write_str(if capture_required { ",capture=required" } else { "" })
            }
        }
    }
}

/// At most 40 characters, so that an error stays readable whatever came in.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Self, RulesError> {
        let (name, options) = match text.split_once(',') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let without_options = |rules, name| match options {
            None => Ok(rules),
            Some(option) => Err(RulesError::NoOptions {
                name,
                option: shortened(option),
            }),
        };
        match name {
            "othello" => without_options(Self::Othello, "othello"),
            "classic" => without_options(Self::Classic, "classic"),
            "free" => {
                let (mut pass_allowed, mut capture_required) = (false, false);
                for option in options.into_iter().flat_map(|o| o.split(',')) {
                    let (flag, name) = match option {
                        "pass=allowed" => (&mut pass_allowed, "pass=allowed"),
                        "capture=required" => (&mut capture_required, "capture=required"),
                        _ => return Err(RulesError::Option(shortened(option))),
                    };
                    if std::mem::replace(flag, true) {
                        return Err(RulesError::Twice(name));
                    }
                }
                Ok(Self::free(pass_allowed, capture_required))
            }
            _ => Err(RulesError::Name(shortened(text))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        let names: Vec<String> = Rules::ALL.iter().map(Rules::to_string).collect();
        assert_eq!(
            names,
            [
                "othello",
                "free",
                "free,pass=allowed",
                "free,capture=required",
                "free,pass=allowed,capture=required",
                "classic"
            ]
        );
        for rules in Rules::ALL {
            assert_eq!(rules.to_string().parse(), Ok(rules));
        }
        assert_eq!(
            "free,capture=required,pass=allowed".parse(),
            Ok(Rules::free(true, true))
        );
    }

    #[test]
    fn errors_name_the_word() {
        let error = |text: &str| text.parse::<Rules>().unwrap_err().to_string();
        assert_eq!(
            error("chess"),
            "unknown rule set 'chess' (known: othello, free[,pass=allowed][,capture=required], classic)"
        );
        assert_eq!(
            error("free,pass"),
            "unknown option 'pass' of rule set 'free' (known: pass=allowed, capture=required)"
        );
        assert_eq!(
            error("free,pass=allowed,pass=allowed"),
            "option 'pass=allowed' of rule set 'free' is given twice"
        );
        assert_eq!(
            error("classic,x"),
            "rule set 'classic' has no options, but 'x' is given"
        );
        assert!(error("").starts_with("unknown rule set ''"));
        assert!(error("free,").starts_with("unknown option ''"));
        assert!(error(&"x".repeat(1_000_000)).len() < 200);
    }
}
