//! The rules page once more, written from its text alone on lists of squares: no bitboards, nothing of `outflank::rules`.

/// Row and column, 0..=7 each, from a1.
pub type Place = (usize, usize);

/// A position as a page of paper would hold it.
#[derive(Clone, Debug)]
pub struct ListGame {
    /// `X`, `O` or `.`.
    cells: [[char; 8]; 8],
    turn: char,
    kind: Kind,
    hand_x: u32,
    hand_o: u32,
    passes_in_a_row: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Outflank { may_pass: bool },
    Touch { may_pass: bool },
    Classic,
}

impl ListGame {
    /// The start position of the rule set with this name.
    pub fn start(rules: &str) -> Self {
        let mut cells = [['.'; 8]; 8];
        if rules != "classic" {
            cells[3][3] = 'O';
            cells[4][4] = 'O';
            cells[3][4] = 'X';
            cells[4][3] = 'X';
        }
        let mut game = Self::set_up(rules, &cells.as_flattened().iter().collect::<String>(), 'X');
        (game.hand_x, game.hand_o) = (32, 32);
        game
    }

    /// A position from 64 characters `X`, `O`, `-`; nothing in hand.
    pub fn set_up(rules: &str, text: &str, turn: char) -> Self {
        let may_pass = rules.contains("pass=allowed");
        let kind = match rules.split(',').next().unwrap() {
            "othello" => Kind::Outflank { may_pass: false },
            "free" if rules.contains("capture=required") => Kind::Outflank { may_pass },
            "free" => Kind::Touch { may_pass },
            "classic" => Kind::Classic,
            other => panic!("no rule set {other}"),
        };
        let mut cells = [['.'; 8]; 8];
        for (i, c) in text.chars().enumerate() {
            cells[i / 8][i % 8] = if c == '-' { '.' } else { c };
        }
        Self {
            cells,
            turn,
            kind,
            hand_x: 0,
            hand_o: 0,
            passes_in_a_row: 0,
        }
    }

    /// The same with these discs in hand.
    pub fn with_hands(mut self, x: u32, o: u32) -> Self {
        (self.hand_x, self.hand_o) = (x, o);
        self
    }

    /// The squares, `X`, `O` or `-`.
    pub fn text(&self) -> String {
        self.cells
            .as_flattened()
            .iter()
            .map(|&c| if c == '.' { '-' } else { c })
            .collect()
    }

    /// Who moves: `X` or `O`.
    pub fn turn(&self) -> char {
        self.turn
    }

    /// Discs in hand of X and O.
    pub fn hands(&self) -> (u32, u32) {
        (self.hand_x, self.hand_o)
    }

    /// Discs on the board of `who`.
    pub fn count(&self, who: char) -> i32 {
        self.cells.as_flattened().iter().filter(|&&c| c == who).count() as i32
    }

    /// Squares on which the side to move may place a disc, and whether it may pass. Neither: the game is over.
    pub fn legal(&self) -> (Vec<Place>, bool) {
        let me = self.turn;
        let mine = self.places(me);
        match self.kind {
            // F4: nobody ever passes; F5: unless it is agreed, and then two passes end the game.
            Kind::Touch { may_pass } => {
                if self.passes_in_a_row == 2 {
                    return (Vec::new(), false);
                }
                let pass = may_pass && !mine.is_empty();
                (mine, pass)
            }
            Kind::Outflank { may_pass } => {
                if may_pass && self.passes_in_a_row == 2 {
                    return (Vec::new(), false);
                }
                let theirs = self.places(other(me));
                let over = mine.is_empty() && theirs.is_empty();
                let pass = !over && (may_pass || mine.is_empty());
                (mine, pass)
            }
            Kind::Classic => {
                let theirs = self.places(other(me));
                let pass = mine.is_empty() && !theirs.is_empty();
                (mine, pass)
            }
        }
    }

    /// Where `who` could place a disc if it were its turn.
    fn places(&self, who: char) -> Vec<Place> {
        let mut found = Vec::new();
        for row in 0..8 {
            for column in 0..8 {
                if self.cells[row][column] != '.' {
                    continue;
                }
                let legal = match self.kind {
                    Kind::Touch { .. } => self.touches((row, column)),
                    Kind::Outflank { .. } => !self.outflanked(who, (row, column)).is_empty(),
                    Kind::Classic => {
                        let hand = if who == 'X' { self.hand_x } else { self.hand_o };
                        let centre = (row == 3 || row == 4) && (column == 3 || column == 4);
                        hand > 0
                            && if self.centre_is_full() {
                                !self.outflanked(who, (row, column)).is_empty()
                            } else {
                                centre
                            }
                    }
                };
                if legal {
                    found.push((row, column));
                }
            }
        }
        found
    }

    fn centre_is_full(&self) -> bool {
        [(3, 3), (3, 4), (4, 3), (4, 4)]
            .iter()
            .all(|&(r, c)| self.cells[r][c] != '.')
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        let inside = (0..8).contains(&row) && (0..8).contains(&column);
        inside.then(|| self.cells[row as usize][column as usize])
    }

    fn touches(&self, (row, column): Place) -> bool {
        all_directions().any(|(dr, dc)| {
            self.at(row as i32 + dr, column as i32 + dc)
                .is_some_and(|c| c != '.')
        })
    }

    /// The discs that a disc of `who` on this square would turn over.
    fn outflanked(&self, who: char, (row, column): Place) -> Vec<Place> {
        let mut found = Vec::new();
        for (dr, dc) in all_directions() {
            let mut run = Vec::new();
            for n in 1..8 {
                let (r, c) = (row as i32 + n * dr, column as i32 + n * dc);
                match self.at(r, c) {
                    Some(disc) if disc == other(who) => run.push((r as usize, c as usize)),
                    Some(disc) if disc == who => {
                        found.append(&mut run);
                        break;
                    }
                    _ => break,
                }
            }
        }
        found
    }

    /// The position after a disc of the side to move on this square.
    pub fn place(&self, place: Place) -> Self {
        let mut next = self.clone();
        let turns_over = self.kind != Kind::Classic || self.centre_is_full();
        if turns_over {
            for (r, c) in self.outflanked(self.turn, place) {
                next.cells[r][c] = self.turn;
            }
        }
        next.cells[place.0][place.1] = self.turn;
        if self.kind == Kind::Classic {
            *(if self.turn == 'X' {
                &mut next.hand_x
            } else {
                &mut next.hand_o
            }) -= 1;
        }
        next.passes_in_a_row = 0;
        next.turn = other(self.turn);
        next
    }

    /// The position after a pass.
    pub fn pass(&self) -> Self {
        let mut next = self.clone();
        next.passes_in_a_row += 1;
        next.turn = other(self.turn);
        next
    }

    /// Every position after one legal move.
    pub fn children(&self) -> Vec<Self> {
        let (places, pass) = self.legal();
        let mut children: Vec<Self> = places.into_iter().map(|p| self.place(p)).collect();
        if pass {
            children.push(self.pass());
        }
        children
    }

    /// Nodes at exactly this depth, and games over before.
    pub fn perft(&self, depth: u32) -> (u64, u64) {
        if depth == 0 {
            return (1, 0);
        }
        let children = self.children();
        if children.is_empty() {
            return (0, 1);
        }
        children.iter().fold((0, 0), |(nodes, ended), child| {
            let (n, e) = child.perft(depth - 1);
            (nodes + n, ended + e)
        })
    }

    /// Final difference X - O as the rule set counts it: empty squares to the winner, but to nobody in `classic`.
    pub fn final_difference(&self) -> i32 {
        let (x, o) = (self.count('X'), self.count('O'));
        let empty = if self.kind == Kind::Classic { 0 } else { 64 - x - o };
        match x.cmp(&o) {
            std::cmp::Ordering::Greater => x + empty - o,
            std::cmp::Ordering::Less => x - o - empty,
            std::cmp::Ordering::Equal => 0,
        }
    }
}

fn other(who: char) -> char {
    if who == 'X' { 'O' } else { 'X' }
}

fn all_directions() -> impl Iterator<Item = (i32, i32)> {
    [
        (-1, -1),
        (-1, 0),
        (-1, 1),
        (0, -1),
        (0, 1),
        (1, -1),
        (1, 0),
        (1, 1),
    ]
    .into_iter()
}
