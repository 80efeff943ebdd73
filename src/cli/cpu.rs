//! What the processor can do, and whether it can run this build at all.
//!
//! The fast kernels are chosen at compile time, so on an older processor the program would die with an "illegal
//! instruction". [`require`] runs first and says instead what is missing.

use std::io::Write;

/// The features worth naming, in the order of the bits of a [`Features`].
static NAMES: [&str; 10] = [
    "sse4.2", "popcnt", "movbe", "lzcnt", "bmi1", "bmi2", "f16c", "fma", "avx2", "avx512f",
];

/// A set of [`NAMES`].
type Features = u32;

/// What this build uses without asking.
const NEEDED: Features = cfg!(target_feature = "sse4.2") as u32
    | (cfg!(target_feature = "popcnt") as u32) << 1
    | (cfg!(target_feature = "movbe") as u32) << 2
    | (cfg!(target_feature = "lzcnt") as u32) << 3
    | (cfg!(target_feature = "bmi1") as u32) << 4
    | (cfg!(target_feature = "bmi2") as u32) << 5
    | (cfg!(target_feature = "f16c") as u32) << 6
    | (cfg!(target_feature = "fma") as u32) << 7
    | (cfg!(target_feature = "avx2") as u32) << 8
    | (cfg!(target_feature = "avx512f") as u32) << 9;

/// Ends the process with one line on stderr and exit code 1 if this build needs something that the processor lacks.
///
/// Everything in this crate, this function included, is compiled for the wanted processor. It keeps to what becomes plain
/// integer instructions (`NAMES` is a static, because copying an array takes wide registers) and calls into the standard
/// library, which is compiled for any processor.
#[inline(never)]
pub fn require() {
    let missing = NEEDED & !present();
    if missing == 0 {
        return;
    }
    let say = |text: &str| {
        // There is nobody left to tell.
        let _ = std::io::stderr().write_all(text.as_bytes());
    };
    say("outflank: this build needs a processor with");
    let mut bit = 1;
    for name in &NAMES {
        if missing & bit != 0 {
            say(" ");
            say(name);
        }
        bit += bit;
    }
    say("; build it for this one with: RUSTFLAGS=-Ctarget-cpu=x86-64 cargo build --release\n");
    std::process::exit(1);
}

/// The target of the build, what it was built for, and what this machine has, for `--version`.
pub fn describe() -> String {
    let list = |set: Features| {
        let names: Vec<_> = (0..)
            .zip(NAMES)
            .filter(|(bit, _)| set >> bit & 1 == 1)
            .map(|(_, name)| name)
            .collect();
        if names.is_empty() {
            "nothing special".to_owned()
        } else {
            names.join(" ")
        }
    };
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    format!(
        "{arch} {os}; built for: {}; this machine has: {}",
        list(NEEDED),
        list(present())
    )
}

/// What the processor has. The standard library's `is_x86_feature_detected!` answers from the compile flags where it can,
/// so ask the processor itself. Bits: Intel SDM volume 2A, CPUID; AVX also needs an operating system that saves its
/// registers (XCR0).
#[cfg(target_arch = "x86_64")]
fn present() -> Features {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    /// Which registers the operating system saves.
    #[target_feature(enable = "xsave")]
    fn saved_registers() -> u64 {
        // SAFETY: the caller made sure that the instruction exists; register 0 always does then.
        unsafe { _xgetbv(0) }
    }

    let one = __cpuid(1).ecx;
    let seven = if __cpuid(0).eax >= 7 {
        __cpuid_count(7, 0).ebx
    } else {
        0
    };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 {
        __cpuid(0x8000_0001).ecx
    } else {
        0
    };
    // SAFETY: bit 27 (OSXSAVE) says that XGETBV exists and is switched on.
    let wide = one & 1 << 27 != 0 && unsafe { saved_registers() } & 6 == 6;

    let mut found = 0;
    for (bit, has) in [
        (0, one & 1 << 20),
        (1, one & 1 << 23),
        (2, one & 1 << 22),
        (3, extended & 1 << 5),
        (4, seven & 1 << 3),
        (5, seven & 1 << 8),
    ] {
        if has != 0 {
            found |= 1 << bit;
        }
    }
    if wide {
        for (bit, has) in [
            (6, one & 1 << 29),
            (7, one & 1 << 12),
            (8, seven & 1 << 5),
            (9, seven & 1 << 16),
        ] {
            if has != 0 {
                found |= 1 << bit;
            }
        }
    }
    found
}

/// Other processors: the baseline of the build is all there is.
#[cfg(not(target_arch = "x86_64"))]
fn present() -> Features {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_can_run_them() {
        require();
        assert_eq!(NEEDED & !present(), 0);
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_processor_agrees_with_the_standard_library() {
        let has = |wanted| {
            (0..)
                .zip(NAMES)
                .any(|(bit, name)| name == wanted && present() >> bit & 1 == 1)
        };
        assert_eq!(has("sse4.2"), is_x86_feature_detected!("sse4.2"));
        assert_eq!(has("popcnt"), is_x86_feature_detected!("popcnt"));
        assert_eq!(has("movbe"), is_x86_feature_detected!("movbe"));
        assert_eq!(has("lzcnt"), is_x86_feature_detected!("lzcnt"));
        assert_eq!(has("bmi1"), is_x86_feature_detected!("bmi1"));
        assert_eq!(has("bmi2"), is_x86_feature_detected!("bmi2"));
        assert_eq!(has("f16c"), is_x86_feature_detected!("f16c"));
        assert_eq!(has("fma"), is_x86_feature_detected!("fma"));
        assert_eq!(has("avx2"), is_x86_feature_detected!("avx2"));
        assert_eq!(has("avx512f"), is_x86_feature_detected!("avx512f"));
    }
}
