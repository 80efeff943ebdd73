//! Lines from arbitrary TCP fragments.

use std::borrow::Cow;

/// The most bytes of a line that are kept; the rest of a longer one is dropped.
pub const MAX_LINE: usize = 16 * 1024;

/// Where in an escape sequence the last byte left off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    /// After ESC.
    Start,
    /// After ESC `[`: parameters until a letter.
    Csi,
}

/// Assembles lines from byte fragments that may be cut anywhere.
///
/// CR, BEL, terminal escape sequences and other control characters are removed (a tab becomes a blank), and bytes that are
/// not UTF-8 become replacement characters. It holds at most [`MAX_LINE`] bytes, and the work is linear in the bytes.
#[derive(Debug, Default)]
pub struct LineAssembler {
    pending: Vec<u8>,
    escape: Escape,
    cut: bool,
}

impl LineAssembler {
    /// Takes the next bytes and calls `line` for every line that they complete, with the text and whether its end was
    /// dropped because it was too long.
    pub fn push(&mut self, mut bytes: &[u8], mut line: impl FnMut(&str, bool)) {
        while !bytes.is_empty() {
            if self.escape != Escape::None {
                bytes = self.escaped(bytes);
                continue;
            }
            let plain = bytes
                .iter()
                .position(|&byte| byte < 0x20 || byte == 0x7f)
                .unwrap_or(bytes.len());
            let (text, rest) = bytes.split_at(plain);
            let ending = match rest {
                [b'\n', ..] => Some(1),
                [b'\r', b'\n', ..] => Some(2),
                _ => None,
            };
            if let Some(ending) = ending {
                bytes = rest.get(ending..).unwrap_or_default();
                self.finish(text, &mut line);
                continue;
            }
            self.keep(text);
            match rest.split_first() {
                Some((b'\t', _)) => self.keep(b" "),
                Some((0x1b, _)) => self.escape = Escape::Start,
                _ => {}
            }
            bytes = rest.get(1..).unwrap_or_default();
        }
    }

    /// Bytes of an unfinished line; at most [`MAX_LINE`].
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    /// Consumes the bytes of an escape sequence. Its end is a letter; a line end or another control character breaks it off.
    fn escaped<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let Some((&byte, rest)) = bytes.split_first() else {
            return bytes;
        };
        match (self.escape, byte) {
            (_, 0x1b) => self.escape = Escape::Start,
            (_, 0..0x20) => {
                self.escape = Escape::None;
                return bytes;
            }
            (Escape::Start, b'[') => self.escape = Escape::Csi,
            // Parameters and intermediate bytes.
            (Escape::Start, 0x20..=0x2f) | (Escape::Csi, 0x20..=0x3f) => {}
            _ => self.escape = Escape::None,
        }
        rest
    }

    fn keep(&mut self, text: &[u8]) {
        let room = MAX_LINE - self.pending.len().min(MAX_LINE);
        let kept = text.get(..room).unwrap_or(text);
        self.cut |= kept.len() < text.len();
        self.pending.extend_from_slice(kept);
    }

    fn finish(&mut self, text: &[u8], line: &mut impl FnMut(&str, bool)) {
        if self.pending.is_empty() && text.len() <= MAX_LINE {
            line(&decode(text), self.cut);
        } else {
            self.keep(text);
            line(&decode(&self.pending), self.cut);
            self.pending.clear();
        }
        self.cut = false;
    }
}

fn decode(text: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(fragments: &[&[u8]]) -> Vec<String> {
        let mut assembler = LineAssembler::default();
        let mut found = Vec::new();
        for fragment in fragments {
            assembler.push(fragment, |line, _| found.push(line.to_owned()));
        }
        found
    }

    #[test]
    fn strips_what_is_no_text() {
        assert_eq!(
            lines(&[b"/os: \x07+ match .1\r\r\n|x\n\x1b[2K\r/os: a\tb\r\n\x1b[1;31mred\x1b[0m\x00\r\n"]),
            ["/os: + match .1", "|x", "/os: a b", "red"]
        );
        assert_eq!(lines(&[b"a\x1b", b"[2", b"Kb\n"]), ["ab"]);
        assert_eq!(lines(&[b"a\x1b[2\nb\n\x1b\nc\n"]), ["a", "b", "", "c"]);
        assert_eq!(lines(&[b"caf\xe9\xff\n"]), ["caf\u{fffd}\u{fffd}"]);
        assert_eq!(lines(&[b"unfinished"]), [""; 0]);
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let mut assembler = LineAssembler::default();
        let mut found = Vec::new();
        for _ in 0..1000 {
            assembler.push(&[b'x'; 1000], |_, _| {});
            assert!(assembler.pending() <= MAX_LINE);
        }
        assembler.push(b"\nnext\n", |line, cut| found.push((line.len(), cut)));
        assert_eq!(found, [(MAX_LINE, true), (4, false)]);
        let whole = [vec![b'y'; MAX_LINE + 1], b"\n".to_vec()].concat();
        assembler.push(&whole, |line, cut| found.push((line.len(), cut)));
        assert_eq!(found[2], (MAX_LINE, true));
    }

    /// The plain twin: one byte at a time, no bound.
    fn plain(bytes: &[u8]) -> Vec<String> {
        let mut escape = 0;
        let mut line = Vec::new();
        let mut found = Vec::new();
        for &byte in bytes {
            if escape > 0 {
                let goes_on = match (escape, byte) {
                    (_, 0x1b) => Some(1),
                    (1, b'[') => Some(2),
                    (1, 0x20..=0x2f) => Some(1),
                    (2, 0x20..=0x3f) => Some(2),
                    _ => None,
                };
                if let Some(next) = goes_on {
                    escape = next;
                    continue;
                }
                escape = 0;
                if byte >= 0x20 {
                    continue;
                }
            }
            match byte {
                b'\n' => found.push(String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned()),
                0x1b => escape = 1,
                b'\t' => line.push(b' '),
                0..0x20 | 0x7f => {}
                _ => line.push(byte),
            }
        }
        found
    }

    proptest! {
        #[test]
        fn fragments_do_not_matter(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'\r'), Just(0x1b), Just(b'['), Just(b'|'), any::<u8>()], 0..200),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..8),
        ) {
            let expected = plain(&bytes);
            prop_assert_eq!(&lines(&[&bytes]), &expected);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let fragments: Vec<&[u8]> = cuts.windows(2).map(|w| &bytes[w[0]..w[1]]).collect();
            prop_assert_eq!(&lines(&fragments), &expected);
        }
    }
}
