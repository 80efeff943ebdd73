//! A password: it can be sent, and nothing else.

use std::borrow::Cow;
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
    #[error("the password is empty or has control characters in it")]
    Unusable,
}

impl Secret {
    /// Takes the first line of `file` or, without a file, what the environment holds.
    ///
    /// # Errors
    /// If there is none, or none that could be sent as a line.
    pub fn load(file: Option<&Path>) -> Result<Self, SecretError> {
        let text = match file {
            Some(path) => {
                if is_open_to_others(path) {
                    log::warn!(
                        "other users can read the password file {}: 'chmod 600' would hide it",
                        path.display()
                    );
                }
                crate::files::text(path).map_err(|error| SecretError::File {
                    path: path.display().to_string(),
                    error,
                })?
            }
            None => std::env::var(PASSWORD_VARIABLE).map_err(|_| SecretError::Missing)?,
        };
        Self::new(text.lines().next().unwrap_or_default())
    }

    /// A password given as text.
    ///
    /// # Errors
    /// If it could not be sent as a line.
    pub fn new(text: &str) -> Result<Self, SecretError> {
        if text.is_empty() || text.chars().any(char::is_control) {
            return Err(SecretError::Unusable);
        }
        Ok(Self(text.to_owned()))
    }

    /// A text for a log or a file, the password hidden in it: a server may send back what it was sent.
    pub fn hide<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // Blanks at the end of a line do not survive its reading.
        let secret = self.0.trim();
        if !secret.is_empty() && text.contains(secret) {
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
        assert_eq!(Secret::new("  ").unwrap().hide("a   b"), "a   b");
        assert!(Secret::new("").is_err() && Secret::new("a\nb").is_err());
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
