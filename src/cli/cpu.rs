//! What the processor can do, and whether it can run this build at all.
//!
//! The fast kernels are chosen at compile time, so on an older processor the program would die with an "illegal
//! instruction". [`require`] runs first and says instead what is missing.

/// A processor feature: its name, whether this build needs it, and whether this machine has it.
struct Feature {
    name: &'static str,
    needed: bool,
    present: bool,
}

/// Ends the process with one line on stderr and exit code 1 if this build needs something that the processor lacks.
///
/// Everything in the crate, this function included, is compiled for the wanted processor: it keeps to plain integer
/// code and precompiled library calls.
#[inline(never)]
pub fn require() {
    let mut missing = false;
    for feature in detect() {
        if feature.needed && !feature.present {
            eprint!(
                "{}",
                if missing {
                    ", "
                } else {
                    "outflank: this build needs a processor with "
                }
            );
            eprint!("{}", feature.name);
            missing = true;
        }
    }
    if missing {
        eprintln!("; build it for this one with: RUSTFLAGS=\"\" cargo build --release");
        std::process::exit(1);
    }
}

/// The build's target and the features in use, for `--version`: `x86_64 with avx2, bmi2`; lower case, sorted.
pub fn describe() -> String {
    let features = detect();
    let list = |wanted: fn(&Feature) -> bool| {
        let names: Vec<_> = features.iter().filter(|f| wanted(f)).map(|f| f.name).collect();
        if names.is_empty() {
            "none".to_owned()
        } else {
            names.join(" ")
        }
    };
    format!(
        "{} {}; built for: {}; this machine has: {}",
        std::env::consts::ARCH,
        std::env::consts::OS,
        list(|f| f.needed),
        list(|f| f.present),
    )
}

/// The standard library's `is_x86_feature_detected!` answers from the compile flags where it can, so ask the processor.
/// Bits: Intel SDM volume 2A, CPUID; AVX also needs an operating system that saves its registers (XCR0).
#[cfg(target_arch = "x86_64")]
fn detect() -> [Feature; 10] {
    use std::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

    /// Reads which registers the operating system saves.
    #[target_feature(enable = "xsave")]
    fn saved_registers() -> u64 {
        // SAFETY: the caller made sure that the instruction exists; register 0 always does then.
        unsafe { _xgetbv(0) }
    }

    let highest = __cpuid(0).eax;
    let one = __cpuid(1).ecx;
    let seven = if highest >= 7 { __cpuid_count(7, 0).ebx } else { 0 };
    let extended = if __cpuid(0x8000_0000).eax > 0x8000_0000 {
        __cpuid(0x8000_0001).ecx
    } else {
        0
    };
    // SAFETY: bit 27 (OSXSAVE) says that XGETBV exists and is switched on.
    let avx = one >> 27 & 1 == 1 && unsafe { saved_registers() } & 6 == 6;
    let feature = |name, needed, register: u32, bit: u32| Feature {
        name,
        needed,
        present: register >> bit & 1 == 1,
    };
    let wide = |name, needed, register: u32, bit: u32| Feature {
        name,
        needed,
        present: avx && register >> bit & 1 == 1,
    };
    [
        feature("sse4.2", cfg!(target_feature = "sse4.2"), one, 20),
        feature("popcnt", cfg!(target_feature = "popcnt"), one, 23),
        feature("movbe", cfg!(target_feature = "movbe"), one, 22),
        feature("lzcnt", cfg!(target_feature = "lzcnt"), extended, 5),
        feature("bmi1", cfg!(target_feature = "bmi1"), seven, 3),
        feature("bmi2", cfg!(target_feature = "bmi2"), seven, 8),
        wide("f16c", cfg!(target_feature = "f16c"), one, 29),
        wide("fma", cfg!(target_feature = "fma"), one, 12),
        wide("avx2", cfg!(target_feature = "avx2"), seven, 5),
        wide("avx512f", cfg!(target_feature = "avx512f"), seven, 16),
    ]
}

/// Other processors: the build's baseline is the only one there is.
#[cfg(not(target_arch = "x86_64"))]
fn detect() -> [Feature; 0] {
    []
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_that_runs_the_tests_can_run_them() {
        require();
        assert!(detect().iter().all(|f| f.present || !f.needed));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn the_processor_agrees_with_the_standard_library() {
        let present = |name| detect().iter().any(|f| f.name == name && f.present);
        assert_eq!(present("avx2"), is_x86_feature_detected!("avx2"));
        assert_eq!(present("bmi2"), is_x86_feature_detected!("bmi2"));
        assert_eq!(present("lzcnt"), is_x86_feature_detected!("lzcnt"));
        assert_eq!(present("avx512f"), is_x86_feature_detected!("avx512f"));
    }
}
