// SPDX-License-Identifier: MIT

// Plays the bundled turns without an arena: make test
package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

type message struct {
	Type    string               `msgpack:"type"`
	Turn    int                  `msgpack:"turn"`
	Action  int                  `msgpack:"action"`
	Actions []msgpack.RawMessage `msgpack:"actions"`
}

func messagesOf(t *testing.T, data []byte, kind string) []message {
	var messages []message
	decoder := msgpack.NewDecoder(bytes.NewReader(data))
	for {
		var next message
		if err := decoder.Decode(&next); err != nil {
			return messages
		}
		if next.Type == kind {
			messages = append(messages, next)
		}
	}
}

func TestEveryBundledTurnGetsALegalAnswer(t *testing.T) {
	asked, err := os.ReadFile("turns.msgpack")
	if err != nil {
		t.Fatal(err)
	}
	var written bytes.Buffer
	if err := Serve(bytes.NewReader(asked), &written); err != nil {
		t.Fatal(err)
	}
	turns, acts := messagesOf(t, asked, "turn"), messagesOf(t, written.Bytes(), "act")
	if len(turns) == 0 || len(acts) != len(turns) {
		t.Fatalf("%d answers to %d turns", len(acts), len(turns))
	}
	for i, turn := range turns {
		if acts[i].Turn != turn.Turn || acts[i].Action < 0 || acts[i].Action >= len(turn.Actions) {
			t.Errorf("turn %d: action %d", turn.Turn, acts[i].Action)
		}
	}
}
