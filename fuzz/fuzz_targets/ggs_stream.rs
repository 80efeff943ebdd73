#![no_main]

use outflank_protocol::ggs::{Assembler, Event, MAX_LINE, MAX_MESSAGE};

libfuzzer_sys::fuzz_target!(|pieces: Vec<Vec<u8>>| {
    let mut assembler = Assembler::default();
    for piece in &pieces {
        assembler.push(piece, |message| drop(Event::parse(message)));
        assert!(assembler.pending() <= MAX_LINE + MAX_MESSAGE);
    }
});
