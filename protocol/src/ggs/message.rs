//! Messages: a header line and the lines after it that begin with `|`.

use super::lines::LineAssembler;

/// The most bytes of a message that are kept; further body lines are dropped.
pub const MAX_MESSAGE: usize = 256 * 1024;

/// A header line, then body lines that begin with `|`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    text: String,
    cut: bool,
}

impl Message {
    /// A message from its lines, for tests and servers: the header, then the body with a `|` before every line.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            cut: false,
        }
    }

    /// All lines, joined by line feeds.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The first line.
    pub fn header(&self) -> &str {
        self.text.split('\n').next().unwrap_or_default()
    }

    /// The other lines without their `|`.
    pub fn body(&self) -> impl Iterator<Item = &str> {
        body_lines(&self.text)
    }

    /// True if a part was dropped because it was too long.
    pub fn is_cut(&self) -> bool {
        self.cut
    }
}

/// The lines after the first without their `|`.
pub(super) fn body_lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n')
        .skip(1)
        .map(|line| line.strip_prefix('|').unwrap_or(line))
}

/// Assembles messages from byte fragments that may be cut anywhere.
///
/// A message ends at the next line that does not begin with `|`, at the latest at the prompt that follows every message,
/// or at the empty line that announces the next. Prompts are messages of their own. It holds at most [`MAX_MESSAGE`] and
/// [`super::MAX_LINE`] bytes.
#[derive(Debug, Default)]
pub struct Assembler {
    lines: LineAssembler,
    open: Open,
}

/// The message that may still go on.
#[derive(Debug, Default)]
struct Open {
    message: Message,
    begun: bool,
}

impl Assembler {
    /// Takes the next bytes and calls `sink` for every message that they complete.
    pub fn push(&mut self, bytes: &[u8], mut sink: impl FnMut(&Message)) {
        let open = &mut self.open;
        self.lines
            .push(bytes, |line, cut| open.line(line, cut, &mut sink));
    }

    /// Bytes held back for a line or message that is not complete; bounded.
    pub fn pending(&self) -> usize {
        self.lines.pending() + self.open.message.text.len()
    }
}

impl Open {
    fn line(&mut self, line: &str, cut: bool, sink: &mut impl FnMut(&Message)) {
        if self.begun && line.starts_with('|') {
            if self.message.text.len() + line.len() < MAX_MESSAGE {
                self.message.text.push('\n');
                self.message.text.push_str(line);
                self.message.cut |= cut;
            } else {
                self.message.cut = true;
            }
            return;
        }
        self.finish(sink);
        if line.is_empty() {
            return;
        }
        self.message.text.push_str(line);
        self.message.cut = cut;
        self.begun = true;
        if is_alone(line) {
            self.finish(sink);
        }
    }

    fn finish(&mut self, sink: &mut impl FnMut(&Message)) {
        if self.begun {
            sink(&self.message);
        }
        self.begun = false;
        self.message.text.clear();
        self.message.cut = false;
        // One huge message must not keep its memory for weeks.
        self.message.text.shrink_to(16 * 1024);
    }
}

/// Lines after which nothing may come until the client speaks, so that no next line can end them; and stray body lines,
/// which must not swallow more.
fn is_alone(line: &str) -> bool {
    is_prompt(line) || line.starts_with('|') || line.starts_with(": Enter ")
}

pub(super) fn is_prompt(line: &str) -> bool {
    matches!(line.trim_end_matches(' '), "READY" | "ALERT")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(bytes: &[u8]) -> Vec<String> {
        let mut assembler = Assembler::default();
        let mut found = Vec::new();
        assembler.push(bytes, |message| found.push(message.text().to_owned()));
        found
    }

    #[test]
    fn a_message_is_a_header_and_its_bars() {
        let stream = b"READY\r\n\r\n/os: join .4\r\n|0 move(s)\r\n|\r\r\n|x\r\nREADY\r\n\r\n: Enter login (yours).\r\n";
        assert_eq!(
            messages(stream),
            [
                "READY",
                "/os: join .4\n|0 move(s)\n|\n|x",
                "READY",
                ": Enter login (yours)."
            ]
        );
        // Without a prompt between them, with vt100 interrupts, and with ALERT.
        assert_eq!(
            messages(b"a: hi\n|there\n\x1b[2K\rb: READY\n/os: x\nALERT \n|stray\n|stray too\n\n"),
            [
                "a: hi\n|there",
                "b: READY",
                "/os: x",
                "ALERT ",
                "|stray",
                "|stray too"
            ]
        );
    }

    #[test]
    fn a_name_that_looks_like_a_body_line_does_not_join_the_message_before() {
        assert_eq!(
            messages(b"/os: update .1\r\n|  1: f5\r\n\r\n|user: |O to move\r\nREADY\r\n"),
            ["/os: update .1\n|  1: f5", "|user: |O to move", "READY"]
        );
    }

    #[test]
    fn memory_is_bounded() {
        let mut assembler = Assembler::default();
        let mut found = Vec::new();
        assembler.push(b"/os: help\n", |_| {});
        for _ in 0..10_000 {
            assembler.push(
                b"|aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
                |_| {},
            );
            assert!(assembler.pending() <= MAX_MESSAGE + super::super::MAX_LINE);
        }
        assembler.push(b"READY\n", |message| {
            found.push((message.is_cut(), message.text().len()))
        });
        assert!(found[0].0 && found[0].1 <= MAX_MESSAGE);
        assert_eq!(found[1], (false, 5));
    }
}
