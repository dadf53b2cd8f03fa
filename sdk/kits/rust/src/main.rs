// SPDX-License-Identifier: MIT
//! Talks to the arena. Nothing here needs a change: bot.rs decides.
mod bot;
mod pavilion;

use std::io::{self, BufReader, ErrorKind, Write};

use pavilion::{Hello, Turn, TurnMessage};
use rmp_serde::decode::Error;
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Message {
    Hello(Hello),
    Turn(TurnMessage),
    #[serde(other)]
    Other, // the end of the match, or something that a later arena says
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Reply<'a> {
    Ready {
        name: &'a str,
    },
    Act {
        turn: i64,
        action: usize,
        #[serde(skip_serializing_if = "str::is_empty")]
        note: &'a str,
    },
}

fn send(reply: &Reply) -> io::Result<()> {
    let bytes = rmp_serde::to_vec_named(reply).map_err(|error| io::Error::new(ErrorKind::Other, error))?;
    let mut output = io::stdout().lock();
    output.write_all(&bytes)?;
    output.flush()
}

fn is_end_of_input(error: &Error) -> bool {
    matches!(error, Error::InvalidMarkerRead(cause) if cause.kind() == ErrorKind::UnexpectedEof)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut input = BufReader::new(io::stdin().lock());
    let mut hello = Hello::default();
    loop {
        match rmp_serde::from_read(&mut input) {
            Ok(Message::Hello(message)) => {
                hello = message;
                send(&Reply::Ready { name: "@NAME@" })?;
            }
            Ok(Message::Turn(message)) => {
                let mut turn = Turn::new(&hello, message);
                let action = bot::choose(&mut turn);
                send(&Reply::Act { turn: turn.number, action, note: &turn.note })?;
            }
            Ok(Message::Other) => {}
            Err(error) if is_end_of_input(&error) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}
