//! Why a line of a protocol is no command or reply.

/// Why a line is no command or reply. That a move is illegal, say, is known only to whoever has the position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The first word (or the word after `set`) means nothing here. Both sides ignore such lines.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// The line ends too early.
    #[error("'{command}' lacks {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What should follow, with its article: "a number".
        expected: &'static str,
    },
    /// An argument is not what it should be.
    #[error("'{command}', column {column}: {problem}")]
    Bad {
        /// The command.
        command: &'static str,
        /// Characters into the line, from 1.
        column: usize,
        /// What is wrong there; quotes are shortened.
        problem: String,
    },
}
