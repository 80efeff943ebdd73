//! What the fuzz targets have in common.

use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Whatever reads must print as something that reads back; what that prints.
pub fn reads_back<T>(text: &str) -> Option<[String; 2]>
where
    T: FromStr + Display,
    T::Err: Debug,
{
    let printed = text.parse::<T>().ok()?.to_string();
    let again = printed
        .parse::<T>()
        .unwrap_or_else(|error| panic!("{printed:?} does not read back: {error:?}"));
    Some([printed, again.to_string()])
}

/// And that must be the same.
pub fn round_trip<T>(text: &str)
where
    T: FromStr + Display,
    T::Err: Debug,
{
    if let Some([printed, again]) = reads_back::<T>(text) {
        assert_eq!(again, printed);
    }
}
