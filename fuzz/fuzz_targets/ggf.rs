#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    outflank_fuzz::round_trip::<outflank_protocol::ggf::Game>(text);
    outflank_fuzz::round_trip::<outflank_protocol::ggf::Match>(text);
    for found in outflank_protocol::ggf::matches(text).flatten() {
        let _ = found
            .games
            .iter()
            .map(outflank_protocol::ggf::Game::playable)
            .count();
    }
});
