//! Advice to the operating system about big tables.

/// Asks for large pages behind a big table that is read here and there: with small ones most time goes into finding the
/// page. Does nothing where the system has no such wish to be told.
pub fn prefer_large_pages<T>(table: &[T]) {
    #[cfg(target_os = "linux")]
    {
        const PAGE: usize = 4096;
        let (start, length) = (table.as_ptr().addr(), size_of_val(table));
        let skip = start.next_multiple_of(PAGE) - start;
        if length > skip {
            // SAFETY: the advice concerns whole pages within the table and changes nothing that a program can see; where the
            // kernel does not take it, nothing happens.
            unsafe {
                let pages = table.as_ptr().cast::<u8>().add(skip).cast_mut();
                libc::madvise(pages.cast(), length - skip, libc::MADV_HUGEPAGE);
            }
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = table;
}
