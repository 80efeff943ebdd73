#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    outflank_fuzz::round_trip::<outflank_protocol::gtp::Command>(text);
    outflank_fuzz::round_trip::<outflank_protocol::gtp::Reply>(text);
    let _ = outflank_protocol::gtp::Line::read(text);
});
