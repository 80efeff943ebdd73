//! A password: it can be sent, and nothing else.

use std::borrow::Cow;
use std::env::VarError;
use std::fmt;
use std::path::Path;

/// The environment variable that holds the password if the configuration names no file.
pub const PASSWORD_VARIABLE: &str = "OUTFLANK_GGS_PASSWORD";

/// What stands for a password in a log.
const HIDDEN: &str = "(password)";

/// A password. It does not print itself, not even for debugging, so that it cannot get into a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Why there is no password.
#[derive(Debug, thiserror::Error)]
pub enum SecretError {
    /// The file cannot be read.
    #[error("cannot read the password file {path}: {error}")]
    File {
        /// Its name.
        path: String,
        /// What the system says.
        error: std::io::Error,
    },
    /// Neither a file nor the variable.
    #[error("no password: name a password_file in the configuration or set {PASSWORD_VARIABLE}")]
    Missing,
    /// It could not be typed at the prompt.
    #[error("the password in {place} {fault}")]
    Unusable {
        /// The file or the variable.
        place: String,
        /// Why not.
        fault: SecretFault,
    },
}

/// What is wrong with a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretFault {
    /// Nothing there, or nothing that can be seen.
    #[error("is empty or blank")]
    Empty,
    /// No text.
    #[error("is not UTF-8")]
    NotText,
    /// The line would end within it.
    #[error("has control characters in it")]
    Control,
    /// Some editors put it in front of a file.
    #[error("has a byte order mark in it, which cannot be seen")]
    Mark,
    /// The server takes these for commands, and what it makes of them may come back in its messages.
    #[error("has a backslash or '$' in it, in whose place the server puts something else")]
    Expanded,
}

impl Secret {
    /// Takes the first line of `file` or, without a file, what the environment holds.
    ///
    /// # Errors
    /// If there is none, or none that could be sent as a line.
    pub fn load(file: Option<&Path>) -> Result<Self, SecretError> {
        let (place, text) = match file {
            Some(path) => {
                if is_open_to_others(path) {
                    log::warn!(
                        "other users can read the password file {}: 'chmod 600' would hide it",
                        path.display()
                    );
                }
                let text = crate::files::text(path).map_err(|error| SecretError::File {
                    path: path.display().to_string(),
                    error,
                })?;
                (format!("the first line of {}", path.display()), Ok(text))
            }
            None => {
                let text = match std::env::var(PASSWORD_VARIABLE) {
                    Err(VarError::NotPresent) => return Err(SecretError::Missing),
                    Err(VarError::NotUnicode(_)) => Err(SecretFault::NotText),
                    Ok(text) => Ok(text),
                };
                (PASSWORD_VARIABLE.to_owned(), text)
            }
        };
        text.and_then(|text| Self::new(text.lines().next().unwrap_or_default()))
            .map_err(|fault| SecretError::Unusable { place, fault })
    }

    /// A password given as text.
    ///
    /// # Errors
    /// If it could not be sent as a line.
    pub fn new(text: &str) -> Result<Self, SecretFault> {
        if text.trim().is_empty() {
            Err(SecretFault::Empty)
        } else if text.contains(char::is_control) {
            Err(SecretFault::Control)
        } else if text.contains('\u{feff}') {
            Err(SecretFault::Mark)
        } else if text.contains(['\\', '$']) {
            Err(SecretFault::Expanded)
        } else {
            Ok(Self(text.to_owned()))
        }
    }

    /// A text for a log or a file, the password hidden in it: a server may send back what it was sent.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // Blanks at the end of a line do not survive its reading.
        let secret = self.0.trim();
        if text.contains(secret) {
            text.replace(secret, HIDDEN).into()
        } else {
            text.into()
        }
    }

    /// The password, to be sent and for nothing else.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Whether a file can be read by more than its owner.
#[cfg(unix)]
fn is_open_to_others(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    // A file in a pipe or of a device is nobody else's to look into.
    std::fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o077 != 0)
}

/// Nothing that could be told here.
#[cfg(not(unix))]
fn is_open_to_others(_: &Path) -> bool {
    false
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HIDDEN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_never_printed() {
        let secret = Secret::new("xyzzy").unwrap();
        assert!(!format!("{secret:?}").contains("xyzzy"));
        assert_eq!(
            secret.hide(": ERR command 'xyzzy' not recognized."),
            ": ERR command '(password)' not recognized."
        );
        assert_eq!(secret.hide("READY"), "READY");
        let blank = Secret::new("xyzzy ").unwrap();
        assert_eq!(blank.hide("bob: it is xyzzy"), "bob: it is (password)");
    }

    #[test]
    fn what_could_not_be_sent_is_refused() {
        for (text, fault) in [
            ("", SecretFault::Empty),
            ("  ", SecretFault::Empty),
            ("a\nb", SecretFault::Control),
            ("\u{feff}xyzzy", SecretFault::Mark),
            ("xy\\zzy", SecretFault::Expanded),
            ("xy$zzy", SecretFault::Expanded),
        ] {
            assert_eq!(Secret::new(text), Err(fault));
        }
    }

    #[test]
    fn comes_from_a_file() {
        let path = std::env::temp_dir().join(format!("outflank-secret-{}", std::process::id()));
        std::fs::write(&path, "open sesame\r\nmore\n").unwrap();
        assert_eq!(Secret::load(Some(&path)).unwrap().reveal(), "open sesame");
        #[cfg(unix)]
        for (mode, open) in [(0o644, true), (0o640, true), (0o600, false), (0o400, false)] {
            use std::os::unix::fs::PermissionsExt;
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(is_open_to_others(&path), open);
        }
        std::fs::remove_file(&path).unwrap();
        assert!(
            Secret::load(Some(&path))
                .unwrap_err()
                .to_string()
                .contains("outflank-secret")
        );
    }
}
