//! How fast the byte stream of GGS is read: `cargo bench --bench ggs`.
//!
//! A synthetic day of 100 MB (boards, moves, requests, starts and ends of matches, chat, prompts, interrupts, bells, noise)
//! comes in packets of the size that networks have, and every message is read to its meaning.

use outflank_protocol::ggs::{Assembler, Event};
use std::time::Instant;

const SIZE: usize = 100 << 20;
/// Payload of a packet on an Ethernet.
const PACKET: usize = 1448;

const BOARD: &str = "\
|alice    (1720.0 *) 04:41,12:0//02:00,12:0
|bob      (1719.5 O) 03:22,11:0//02:00,11:0
|
|   A B C D E F G H
| 1 - - - * - - - - 1 
| 2 - - * O O - - - 2 
| 3 - * * * O O - - 3 
| 4 - - * O * O - - 4 
| 5 - - O * O * * - 5 
| 6 - - - O - * - - 6 
| 7 - - - - O - - - 7 
| 8 - - - - - - - - 8 
|   A B C D E F G H
|
|O to move
";

/// The stream, the same in every run.
fn day() -> Vec<u8> {
    let update = format!("/os: update .7 8 K?\n| 23: d3/-1.50/4.22\n{BOARD}");
    let moves: String = (1..=22).map(|ply| format!("|{ply:3}: f5/1.25/3.07\n")).collect();
    let join = format!("/os: join .7.0 s8r20 K?\n|22 move(s)\n{BOARD}{moves}{BOARD}")
        .replacen("04:41,12:0//02:00,12:0", "05:00//02:00", 1)
        .replacen("03:22,11:0//02:00,11:0", "05:00//02:00", 1);
    let pieces = [
        update.as_str(),
        update.as_str(),
        update.as_str(),
        join.as_str(),
        "/os: +   .2 1720.0 alice    05:00/00:10/01:00        8 U 1720.0 bob      04:00//02:00\n",
        "/os: -   .2 1720.0 alice    05:00/00:10/01:00        8 U 1720.0 bob      04:00//02:00\n",
        "/os: \x07+ match .7 1720.0 alice 1719.5 bob s8r20 R\n",
        "/os: - match .7 1731.2 alice 1708.3 bob s8r20 R +12.00 .1402\n",
        "/os: rating_update .7\n|alice 1720.0 @ 80.0  +11.2 -> 1731.2 @ 79.1\n|bob 1719.5 @ 80.0  -11.2 -> 1708.3 @ 79.1\n",
        "/os: end .7.0 ( alice vs. bob ) +2.00\n",
        "/os: +  carl watch .19\n",
        "/os: .7 A 1720.0 carl: what a game, READY or not\n|/os: is not the service here\n",
        ".chat carl: \x1b[1mhello\x1b[0m to everybody | and nobody\n",
        "carl: do you play s8r20?\n",
        ": + carl 0\n",
        "caf\u{e9} and \u{fffd} and other noise without a meaning\n",
    ];
    let mut stream = Vec::with_capacity(SIZE + 8192);
    let mut state = 1u64;
    while stream.len() < SIZE {
        // splitmix64
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        let piece = pieces[(z % pieces.len() as u64) as usize];
        stream.extend_from_slice(if z & (1 << 40) == 0 { b"\r\n" } else { b"\x1b[2K\r" });
        stream.extend_from_slice(piece.replace('\n', "\r\n").as_bytes());
        stream.extend_from_slice(b"READY\r\n");
    }
    stream
}

fn main() {
    let stream = day();
    let megabytes = stream.len() as f64 / 1e6;
    // Counted, so that nothing is left out of the work.
    let mut typed = 0u64;
    let mut untyped = 0u64;
    let mut most_pending = 0;
    let mut assembler = Assembler::default();
    let begun = Instant::now();
    for packet in stream.chunks(PACKET) {
        assembler.push(packet, |message| match Event::parse(message) {
            Event::Text(_) => untyped += 1,
            Event::Os(outflank_protocol::ggs::Os::Text(_)) => untyped += 1,
            _ => typed += 1,
        });
        most_pending = most_pending.max(assembler.pending());
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!(
        "{megabytes:.0} MB in {seconds:.2} s: {:.0} MB/s; {typed} messages with a meaning, {untyped} without; \
         at most {most_pending} bytes held back",
        megabytes / seconds
    );
}
