#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| {
    use outflank_protocol::ggs::{Command, Event, Message, OsCommand};

    // What the server would take apart is left out in printing, which may leave blanks at an end.
    outflank_fuzz::reads_back::<Command>(text);
    outflank_fuzz::reads_back::<OsCommand>(text);
    let printed = Event::parse(&Message::new(text)).to_string();
    let again = Event::parse(&Message::new(printed.as_str())).to_string();
    assert_eq!(again, printed);
});
