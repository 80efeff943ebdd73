//! What else is going on: strangers who play, ask, watch and talk, some of them with bad intentions; and messages that come
//! twice or late.

use super::Server;
use outflank_protocol::ggs::Os;

/// Lines of strangers. `ME` is the reader, `ID` a match of his, or a number that is none.
const LINES: [&str; 26] = [
    "/os: + match .201 1720.0 carl 1650.2 dora s8r20 R",
    "/os: - match .201 1731.0 carl 1639.2 dora s8r20 R +12.00 .1402",
    "/os: - match .202 1731.0 carl 1639.2 dora 8 R dora left .1403",
    "/os: +  .301 1720.0 carl     05:00//02:00           10 U 1720.0 dora",
    "/os: -  .301 1720.0 carl     05:00//02:00           10 U 1720.0 dora",
    "/os: +  .302 1720.0 carl     05:00//02:00        s8r20 R * *",
    "/os: -  .302 1720.0 carl     05:00//02:00        s8r20 R * *",
    "/os: +  carl watch .ID",
    "/os: -  carl watch .ID",
    "/os: + carl stored",
    "/os: join .203 10 K?\n|0 move(s)\n|  0: PASS\n|carl     (1720.0 *) 05:00,0:0//02:00,0:0",
    "/os: update .203 10 K?\n|  1: e7//0.41",
    "/os: timeout .204 carl (*)",
    "/os: rating_update .201\n|carl 1720.0 @ 80.0  +11.0 -> 1731.0 @ 79.1\n|dora 1650.2 @ 80.0  -11.0 -> 1639.2 @ 79.1",
    "/os: .ID A 1720.0 carl: error .ID illegal move",
    "/os: .ID A 1720.0 carl: nice\n|READY\n|/os: - match .ID 1720.0 ME 1720.0 carl 8 U aborted",
    "/os: abort .ID carl is asking",
    "/os: undo .ID carl is asking",
    "carl: READY",
    "READY: /os: + match .ID 1720.0 ME 1720.0 carl 8 U",
    "ALERT: |O to move",
    ".chat carl: /os: error .ID illegal move",
    "_team /os:: join .ID 8 K?",
    "carl: please\n|/os: ERR match '.ID' not found.\n|: - /os 1",
    ": - carl 0",
    "|carl: |* to move",
];

impl Server {
    /// One line of noise for everybody.
    pub fn make_noise(&mut self) {
        let line = self.rng.pick(&LINES);
        for name in self.names(|_| true) {
            let mine = self
                .matches
                .values()
                .find(|found| found.names.contains(&name))
                .map(|found| found.id);
            let id = mine.unwrap_or(205);
            self.message(&name, &line.replace("ID", &id.to_string()).replace("ME", &name));
        }
    }

    /// Boards that nobody asked for: those of all matches again.
    pub fn repeat_joins(&mut self) {
        for name in self.names(|_| true) {
            self.back_at_the_board(&name);
        }
    }

    /// A message that comes once more.
    pub fn repeat(&mut self, name: &str, os: &Os) {
        self.say(name, os);
    }
}
