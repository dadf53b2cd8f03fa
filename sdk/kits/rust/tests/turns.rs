// SPDX-License-Identifier: MIT
//! Plays the bundled turns without an arena: cargo test --offline
use std::io::{Cursor, Write};
use std::process::{Command, Stdio};

use serde::de::IgnoredAny;
use serde::Deserialize;

#[derive(Deserialize)]
struct Message {
    r#type: String,
    #[serde(default)]
    turn: i64,
    #[serde(default)]
    action: usize,
    #[serde(default)]
    actions: Vec<IgnoredAny>,
}

fn messages(bytes: &[u8], kind: &str) -> Vec<Message> {
    let mut input = Cursor::new(bytes);
    let mut found = Vec::new();
    while (input.position() as usize) < bytes.len() {
        let message: Message = rmp_serde::from_read(&mut input).expect("a whole message");
        if message.r#type == kind {
            found.push(message);
        }
    }
    found
}

#[test]
fn every_bundled_turn_gets_a_legal_answer() {
    let asked = std::fs::read("turns.msgpack").unwrap();
    let mut bot = Command::new(env!("CARGO_BIN_EXE_bot"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bot.stdin.take().unwrap().write_all(&asked).unwrap();
    let written = bot.wait_with_output().unwrap();
    assert!(written.status.success());
    let turns = messages(&asked, "turn");
    let acts = messages(&written.stdout, "act");
    assert!(!turns.is_empty());
    assert_eq!(acts.len(), turns.len());
    for (act, turn) in acts.iter().zip(&turns) {
        assert_eq!(act.turn, turn.turn);
        assert!(act.action < turn.actions.len());
    }
}
