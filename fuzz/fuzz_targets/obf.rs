#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    outflank_fuzz::round_trip::<outflank_protocol::obf::Problem>(text);
    let _ = outflank_protocol::obf::problems(text).count();
});
