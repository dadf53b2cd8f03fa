// SPDX-License-Identifier: MIT
//! Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.
#![allow(dead_code)]

use serde::Deserialize;

pub const PURPLE: usize = 0;
pub const GREEN: usize = 1;
pub const ORANGE: usize = 2;
pub const YELLOW: usize = 3;
pub const BLUE: usize = 4;
pub const RED: usize = 5;
pub const COLOR_NAMES: [&str; 6] = ["purple", "green", "orange", "yellow", "blue", "red"];

/// Stars 0 to 5 lie around it, clockwise from the top left.
pub const CENTER_STAR: usize = 6;
/// A draft's source: the center of the table; displays are 0, 1, ...
pub const CENTER: i32 = -1;
/// On a star: no tile.
pub const EMPTY: i8 = -1;

/// Tiles by color.
pub type Counts = [i32; 6];
/// The color on each space, or EMPTY.
pub type Star = [i8; 6];

#[derive(Deserialize, Default, Clone)]
pub struct Clock {
    pub turn_ms: i64,
    pub bank_ms: i64,
    pub gain_ms: i64,
}

/// The terms of a match.
#[derive(Deserialize, Default, Clone)]
pub struct Hello {
    pub seat: usize,
    pub board: String, // "colored" or "gray"
    pub clock: Clock,
    pub seed: u64,
}

/// What everybody sees of one seat.
#[derive(Deserialize)]
pub struct Player {
    pub score: i32,
    pub hand: Counts,
    pub corners: Counts,
    pub passed: bool,
    pub stars: [Star; 7],
}

/// All that a player at the table can see.
#[derive(Deserialize)]
pub struct State {
    pub round: i32,
    pub phase: String,
    pub wild: usize,
    pub start: usize,
    pub token: i32, // who holds it, -1 while it lies in the center
    pub bonus: i32,
    pub displays: Vec<Counts>,
    pub center: Counts,
    pub supply: Counts,
    pub bag: Counts,
    pub tower: Counts,
    pub players: Vec<Player>,
}

/// An action as the wire has it: its kind, then its numbers.
#[derive(Deserialize)]
#[serde(untagged)]
enum WireAction {
    Place(String, usize, usize, usize, i32),
    Draft(String, i32, usize),
    Tiles(String, Counts),
}

/// One decision. `wilds` of the tiles spent are of the wild color.
#[derive(Deserialize, Clone)]
#[serde(from = "WireAction")]
pub enum Action {
    Draft { source: i32, color: usize },
    Place { star: usize, position: usize, color: usize, wilds: i32 },
    Bonus { taken: Counts },
    Pass { kept: Counts },
}

impl From<WireAction> for Action {
    fn from(action: WireAction) -> Self {
        match action {
            WireAction::Draft(_, source, color) => Action::Draft { source, color },
            WireAction::Place(_, star, position, color, wilds) => {
                Action::Place { star, position, color, wilds }
            }
            WireAction::Tiles(kind, taken) if kind == "bonus" => Action::Bonus { taken },
            WireAction::Tiles(_, kept) => Action::Pass { kept },
        }
    }
}

#[derive(Deserialize)]
pub struct TurnMessage {
    turn: i64,
    state: State,
    actions: Vec<Action>,
    bank_ms: i64,
}

/// One decision that is due.
pub struct Turn<'a> {
    pub hello: &'a Hello,
    pub number: i64,
    pub state: State,
    pub actions: Vec<Action>, // every legal one
    pub bank_ms: i64,
    pub note: String, // set it, and the replay shows it with this decision
}

impl<'a> Turn<'a> {
    pub fn new(hello: &'a Hello, message: TurnMessage) -> Self {
        Turn {
            hello,
            number: message.turn,
            state: message.state,
            actions: message.actions,
            bank_ms: message.bank_ms,
            note: String::new(),
        }
    }

    /// My score, hand, corners and stars.
    pub fn me(&self) -> &Player {
        &self.state.players[self.hello.seat]
    }

    /// The tiles of a display or of the center.
    pub fn tiles_at(&self, source: i32) -> &Counts {
        if source == CENTER {
            &self.state.center
        } else {
            &self.state.displays[source as usize]
        }
    }
}

/// Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.
pub const STAR_COLORS: &[usize] = &[2, 5, 4, 3, 1, 0];

pub struct Feature {
    pub tiles: i32,
    pub spaces: &'static [(usize, usize)],
}

/// Bonus features: the tiles that each gives once its spaces (star, position) are filled.
pub const FEATURES: &[Feature] = &[
    // pillars
    Feature { tiles: 1, spaces: &[(0, 1), (0, 2), (6, 5), (6, 0)] },
    Feature { tiles: 1, spaces: &[(1, 1), (1, 2), (6, 0), (6, 1)] },
    Feature { tiles: 1, spaces: &[(2, 1), (2, 2), (6, 1), (6, 2)] },
    Feature { tiles: 1, spaces: &[(3, 1), (3, 2), (6, 2), (6, 3)] },
    Feature { tiles: 1, spaces: &[(4, 1), (4, 2), (6, 3), (6, 4)] },
    Feature { tiles: 1, spaces: &[(5, 1), (5, 2), (6, 4), (6, 5)] },
    // statues
    Feature { tiles: 2, spaces: &[(0, 0), (0, 1), (1, 2), (1, 3)] },
    Feature { tiles: 2, spaces: &[(1, 0), (1, 1), (2, 2), (2, 3)] },
    Feature { tiles: 2, spaces: &[(2, 0), (2, 1), (3, 2), (3, 3)] },
    Feature { tiles: 2, spaces: &[(3, 0), (3, 1), (4, 2), (4, 3)] },
    Feature { tiles: 2, spaces: &[(4, 0), (4, 1), (5, 2), (5, 3)] },
    Feature { tiles: 2, spaces: &[(5, 0), (5, 1), (0, 2), (0, 3)] },
    // windows
    Feature { tiles: 3, spaces: &[(0, 4), (0, 5)] },
    Feature { tiles: 3, spaces: &[(1, 4), (1, 5)] },
    Feature { tiles: 3, spaces: &[(2, 4), (2, 5)] },
    Feature { tiles: 3, spaces: &[(3, 4), (3, 5)] },
    Feature { tiles: 3, spaces: &[(4, 4), (4, 5)] },
    Feature { tiles: 3, spaces: &[(5, 4), (5, 5)] },
];

/// How many tiles a space takes.
pub fn cost(board: &str, star: usize, position: usize) -> i32 {
    match (board, star) {
        ("colored", _) => position as i32 + 1,
        (_, CENTER_STAR) => 3,
        _ => [3, 2, 1, 4, 5, 6][position],
    }
}

/// The points for a tile on that position: the run of filled spaces that it joins.
pub fn run_length(star: &Star, position: usize) -> i32 {
    let mut length = 1;
    for step in [1, 5] {
        let mut at = (position + step) % 6;
        while star[at] != EMPTY && length < 6 {
            length += 1;
            at = (at + step) % 6;
        }
    }
    length
}
