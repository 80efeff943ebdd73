#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    outflank_fuzz::round_trip::<outflank_protocol::clock::ClockSetting>(text);
    outflank_fuzz::round_trip::<outflank_protocol::clock::ClockTime>(text);
    outflank_fuzz::round_trip::<outflank_protocol::ggs::RunningClock>(text);
    let _ = outflank_protocol::clock::ClockSetting::parse(text, outflank_protocol::clock::Bare::Seconds);
});
