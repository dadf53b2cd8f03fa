// SPDX-License-Identifier: MIT

// Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.
package main

import (
	"fmt"

	"github.com/vmihailenco/msgpack/v5"
)

// Colors, in the order in which they become wild.
const (
	Purple = iota
	Green
	Orange
	Yellow
	Blue
	Red
)

// ColorNames are the colors in words.
var ColorNames = [6]string{"purple", "green", "orange", "yellow", "blue", "red"}

const (
	CenterStar = 6  // stars 0 to 5 lie around it, clockwise from the top left
	Center     = -1 // a draft's source: the center of the table; displays are 0, 1, ...
	Empty      = -1 // on a star: no tile
)

// Hello has the terms of a match.
type Hello struct {
	Seat  int    `msgpack:"seat"`
	Board string `msgpack:"board"` // "colored" or "gray"
	Clock struct {
		TurnMs int `msgpack:"turn_ms"`
		BankMs int `msgpack:"bank_ms"`
		GainMs int `msgpack:"gain_ms"`
	} `msgpack:"clock"`
	Seed uint64 `msgpack:"seed"`
}

// Player is what everybody sees of one seat.
type Player struct {
	Score   int       `msgpack:"score"`
	Hand    [6]int    `msgpack:"hand"` // counts by color
	Corners [6]int    `msgpack:"corners"`
	Passed  bool      `msgpack:"passed"`
	Stars   [7][6]int `msgpack:"stars"` // the color on each space, or Empty
}

// State is all that a player at the table can see.
type State struct {
	Round    int      `msgpack:"round"`
	Phase    string   `msgpack:"phase"`
	Wild     int      `msgpack:"wild"`
	Start    int      `msgpack:"start"`
	Token    int      `msgpack:"token"` // who holds it, -1 while it lies in the center
	Bonus    int      `msgpack:"bonus"`
	Displays [][6]int `msgpack:"displays"`
	Center   [6]int   `msgpack:"center"`
	Supply   [6]int   `msgpack:"supply"`
	Bag      [6]int   `msgpack:"bag"`
	Tower    [6]int   `msgpack:"tower"`
	Players  []Player `msgpack:"players"`
}

// Action is one decision. Kind says which of the other fields count.
type Action struct {
	Kind                  string // "draft", "place", "bonus" or "pass"
	Source                int    // draft: a display, or Center
	Color                 int    // draft and place
	Star, Position, Wilds int    // place; Wilds of the tiles spent are of the wild color
	Tiles                 [6]int // bonus: taken; pass: kept; counts by color
}

// DecodeMsgpack reads an action as the wire has it: its kind, then its numbers.
func (action *Action) DecodeMsgpack(decoder *msgpack.Decoder) error {
	if _, err := decoder.DecodeArrayLen(); err != nil {
		return err
	}
	kind, err := decoder.DecodeString()
	if err != nil {
		return err
	}
	action.Kind = kind
	switch kind {
	case "draft":
		return decoder.DecodeMulti(&action.Source, &action.Color)
	case "place":
		return decoder.DecodeMulti(&action.Star, &action.Position, &action.Color, &action.Wilds)
	case "bonus", "pass":
		return decoder.Decode(&action.Tiles)
	}
	return fmt.Errorf("no kind of action: %q", kind)
}

// Turn is one decision that is due.
type Turn struct {
	Hello   *Hello   `msgpack:"-"`
	Number  int      `msgpack:"turn"`
	State   State    `msgpack:"state"`
	Actions []Action `msgpack:"actions"` // every legal one
	BankMs  int      `msgpack:"bank_ms"`
	Note    string   `msgpack:"-"` // set it, and the replay shows it with this decision
}

// Me has my score, hand, corners and stars.
func (turn *Turn) Me() *Player {
	return &turn.State.Players[turn.Hello.Seat]
}

// TilesAt counts the tiles of a display or of the center by color.
func (turn *Turn) TilesAt(source int) [6]int {
	if source == Center {
		return turn.State.Center
	}
	return turn.State.Displays[source]
}

// StarColors are the colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.
var StarColors = [...]int{2, 5, 4, 3, 1, 0}

// Space is one space of a board.
type Space struct{ Star, Position int }

// Feature gives bonus tiles once its spaces are filled.
type Feature struct {
	Tiles  int
	Spaces []Space
}

// Features are all bonus features: the tiles that each gives, and its spaces.
var Features = [...]Feature{
	// pillars
	{1, []Space{{0, 1}, {0, 2}, {6, 5}, {6, 0}}},
	{1, []Space{{1, 1}, {1, 2}, {6, 0}, {6, 1}}},
	{1, []Space{{2, 1}, {2, 2}, {6, 1}, {6, 2}}},
	{1, []Space{{3, 1}, {3, 2}, {6, 2}, {6, 3}}},
	{1, []Space{{4, 1}, {4, 2}, {6, 3}, {6, 4}}},
	{1, []Space{{5, 1}, {5, 2}, {6, 4}, {6, 5}}},
	// statues
	{2, []Space{{0, 0}, {0, 1}, {1, 2}, {1, 3}}},
	{2, []Space{{1, 0}, {1, 1}, {2, 2}, {2, 3}}},
	{2, []Space{{2, 0}, {2, 1}, {3, 2}, {3, 3}}},
	{2, []Space{{3, 0}, {3, 1}, {4, 2}, {4, 3}}},
	{2, []Space{{4, 0}, {4, 1}, {5, 2}, {5, 3}}},
	{2, []Space{{5, 0}, {5, 1}, {0, 2}, {0, 3}}},
	// windows
	{3, []Space{{0, 4}, {0, 5}}},
	{3, []Space{{1, 4}, {1, 5}}},
	{3, []Space{{2, 4}, {2, 5}}},
	{3, []Space{{3, 4}, {3, 5}}},
	{3, []Space{{4, 4}, {4, 5}}},
	{3, []Space{{5, 4}, {5, 5}}},
}

// Cost is how many tiles a space takes.
func Cost(board string, star, position int) int {
	if board == "colored" {
		return position + 1
	}
	if star == CenterStar {
		return 3
	}
	return [6]int{3, 2, 1, 4, 5, 6}[position]
}

// RunLength is the points for a tile on that position: the run of filled spaces that it joins.
func RunLength(star [6]int, position int) int {
	length := 1
	for _, step := range [2]int{1, 5} {
		for at := (position + step) % 6; star[at] != Empty && length < 6; at = (at + step) % 6 {
			length++
		}
	}
	return length
}
