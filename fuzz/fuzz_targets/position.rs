#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    outflank_fuzz::round_trip::<outflank_protocol::vocab::Diagram>(text);
});
