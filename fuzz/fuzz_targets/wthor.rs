#![no_main]

use outflank_protocol::wthor::Database;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(database) = Database::parse(bytes) {
        let written = database.to_bytes();
        let again = Database::parse(&written).expect("what is written reads back");
        assert_eq!(again.to_bytes(), written);
    }
});
