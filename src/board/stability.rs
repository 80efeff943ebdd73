//! Discs that can never be turned over.

/// The stable discs of `side`: those that no sequence of moves can turn over, whoever moves next. A lower bound: every disc in
/// it is stable, but not every stable disc is found. It holds for all rule sets, since in each only outflanking turns
/// discs.
///
/// A disc is safe on one of its four lines if the line is full, ends at it, or has a stable disc of the same side next to it;
/// it is stable if it is safe on all four. Edges are looked up, exactly.
pub fn stable(side: u64, other: u64) -> u64 {
    let full = full_lines(side | other);
    // The lines that end at an edge square: whichever way they go, it is the last.
    let safe = [
        full[0] | FILES_A_H,
        full[1] | ROWS_1_8,
        full[2] | FILES_A_H | ROWS_1_8,
        full[3] | FILES_A_H | ROWS_1_8,
    ];
    let mut stable = stable_edges(side, other) | side & full[0] & full[1] & full[2] & full[3];
    loop {
        // Shifts that leave the board come back in on an edge, where the line is safe anyway.
        let beside = |step: u32| stable << step | stable >> step;
        let next = stable
            | side
                & (beside(1) | safe[0])
                & (beside(8) | safe[1])
                & (beside(7) | safe[2])
                & (beside(9) | safe[3]);
        if next == stable {
            return stable;
        }
        stable = next;
    }
}

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILES_A_H: u64 = FILE_A | FILE_A << 7;
const ROWS_1_8: u64 = 0xFF00_0000_0000_00FF;

/// The squares on full lines: rows, files, rising diagonals (step 7), falling diagonals (step 9).
#[inline]
fn full_lines(occupied: u64) -> [u64; 4] {
    // Squares that a step of 1, 2 or 4 to the right, or to the left, may come to.
    const RIGHT: [u64; 3] = [FILE_A * 0xFE, FILE_A * 0xFC, FILE_A * 0xF0];
    const LEFT: [u64; 3] = [FILE_A * 0x7F, FILE_A * 0x3F, FILE_A * 0x0F];
    let empty = !occupied;

    let mut columns = empty | empty.rotate_left(8);
    columns |= columns.rotate_left(16);
    columns |= columns.rotate_left(32);

    // An empty square spoils its whole line: spread it 1, 2 and 4 steps both ways.
    let (mut right, mut left) = ([empty; 3], [empty; 3]);
    for i in 0..3 {
        let n = 1 << i;
        right[0] |= right[0] << n & RIGHT[i];
        left[0] |= left[0] >> n & LEFT[i];
        right[1] |= right[1] >> (7 * n) & RIGHT[i];
        left[1] |= left[1] << (7 * n) & LEFT[i];
        right[2] |= right[2] << (9 * n) & RIGHT[i];
        left[2] |= left[2] >> (9 * n) & LEFT[i];
    }
    [
        !(right[0] | left[0]),
        !columns,
        !(right[1] | left[1]),
        !(right[2] | left[2]),
    ]
}

/// The stable discs of `side` on the four edges.
#[inline]
fn stable_edges(side: u64, other: u64) -> u64 {
    let edge = |own: u64, theirs: u64| {
        u64::from(EDGE[usize::from(BASE_3[own as usize] + 2 * BASE_3[theirs as usize])])
    };
    edge(side & 0xFF, other & 0xFF)
        | edge(side >> 56, other >> 56) << 56
        | to_file_a(edge(from_file_a(side), from_file_a(other)))
        | to_file_a(edge(from_file_a(side >> 7), from_file_a(other >> 7))) << 7
}

/// File a as a byte, a1 lowest.
#[inline]
const fn from_file_a(set: u64) -> u64 {
    (set & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The inverse: one byte to file a.
#[inline]
const fn to_file_a(byte: u64) -> u64 {
    // Bit i alone is left in byte i; adding 127 carries it to the top of that byte.
    let one_each = byte.wrapping_mul(FILE_A) & 0x8040_2010_0804_0201;
    (one_each + 0x7F * FILE_A) >> 7 & FILE_A
}

/// The binary digits read in base 3.
const BASE_3: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        table[byte] = 3 * table[byte / 2] + (byte % 2) as u16;
        byte += 1;
    }
    table
};

/// Edge in base 3 (1 = own disc, 2 = theirs) -> own discs that are stable along it.
static EDGE: [u8; 6561] = edge_table();

/// An own disc is stable if it is still own whatever either side plays on whichever empty square of the edge, turning over what it
/// outflanks there or (a move may outflank in other directions only) nothing, and stable after it too. The edges are done in
/// the order of their empty squares, so that the edge after a move is there already.
const fn edge_table() -> [u8; 6561] {
    let mut table = [0; 6561];
    let mut empties = 0;
    while empties <= 8 {
        let mut own = 0;
        while own < 256 {
            // All subsets of the squares that are not own.
            let rest = 255 - own;
            let mut theirs = rest;
            loop {
                let occupied: u32 = own | theirs;
                if occupied.count_ones() == 8 - empties {
                    table[edge_index(own, theirs)] = edge_entry(&table, own, theirs);
                }
                if theirs == 0 {
                    break;
                }
                theirs = (theirs - 1) & rest;
            }
            own += 1;
        }
        empties += 1;
    }
    table
}

const fn edge_index(own: u32, theirs: u32) -> usize {
    (BASE_3[own as usize] + 2 * BASE_3[theirs as usize]) as usize
}

const fn edge_entry(table: &[u8; 6561], own: u32, theirs: u32) -> u8 {
    let mut stable = own as u8;
    let mut empty = 255 - own - theirs;
    while empty != 0 && stable != 0 {
        let place = empty.trailing_zeros();
        empty &= empty - 1;
        let flips = edge_flips(own, theirs, place);
        stable &= table[edge_index(own | 1 << place | flips, theirs & !flips)];
        let flips = edge_flips(theirs, own, place);
        stable &= table[edge_index(own & !flips, theirs | 1 << place | flips)];
    }
    stable
}

/// What `mover` turns over along the edge by playing on `place`.
const fn edge_flips(mover: u32, opponent: u32, place: u32) -> u32 {
    let mut flips = 0;
    let (mut row, mut at) = (0, 2_u32 << place);
    while at < 256 && opponent & at != 0 {
        row |= at;
        at <<= 1;
    }
    if at < 256 && mover & at != 0 {
        flips |= row;
    }
    let (mut row, mut at) = (0, (1_u32 << place) >> 1);
    while at != 0 && opponent & at != 0 {
        row |= at;
        at >>= 1;
    }
    if mover & at != 0 {
        flips |= row;
    }
    flips
}
