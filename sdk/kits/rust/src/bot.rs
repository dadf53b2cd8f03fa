// SPDX-License-Identifier: MIT
//! The bot: choose() is all that the arena asks of it. Change it as you like.
use crate::pavilion::{run_length, Action, Counts, Turn, CENTER};

/// The index of one of turn.actions.
pub fn choose(turn: &mut Turn) -> usize {
    (0..turn.actions.len())
        .rev() // of equal ones the last is taken: that is the first of them
        .max_by_key(|&index| worth(turn, &turn.actions[index]))
        .unwrap_or(0)
}

/// How good an action looks. What to try next: see the README.
fn worth(turn: &Turn, action: &Action) -> i32 {
    match action {
        Action::Draft { source, color } => draft_worth(turn, *source, *color),
        // Points now. Wild tiles are worth keeping.
        Action::Place { star, position, wilds, .. } => {
            100 + 10 * run_length(&turn.me().stars[*star], *position) - wilds
        }
        Action::Bonus { taken } => bonus_worth(turn, taken),
        // A last resort, keeping what can be kept.
        Action::Pass { kept } => kept.iter().sum(),
    }
}

fn draft_worth(turn: &Turn, source: i32, color: usize) -> i32 {
    let tiles = turn.tiles_at(source);
    let mut worth = tiles[color];
    if color != turn.state.wild && tiles[turn.state.wild] > 0 {
        worth += 2; // a wild tile comes along
    }
    if source == CENTER && turn.state.token == -1 {
        worth -= 2; // the first to take from the center loses points
    }
    worth
}

/// What goes with the tiles that are in the hand already.
fn bonus_worth(turn: &Turn, taken: &Counts) -> i32 {
    taken.iter().zip(turn.me().hand).map(|(count, held)| count * (1 + held)).sum()
}
