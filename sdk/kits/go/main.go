// SPDX-License-Identifier: MIT

// Talks to the arena. Nothing here needs a change: bot.go decides.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/vmihailenco/msgpack/v5"
)

type ready struct {
	Type string `msgpack:"type"`
	Name string `msgpack:"name"`
}

type act struct {
	Type   string `msgpack:"type"`
	Turn   int    `msgpack:"turn"`
	Action int    `msgpack:"action"`
	Note   string `msgpack:"note,omitempty"`
}

// Serve answers messages until the input ends.
func Serve(input io.Reader, output io.Writer) error {
	decoder := msgpack.NewDecoder(bufio.NewReader(input))
	var hello Hello
	for {
		raw, err := decoder.DecodeRaw()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		reply, err := answer(raw, &hello)
		if err != nil {
			return err
		}
		if reply == nil {
			continue // the end of the match, or something that a later arena says
		}
		encoded, err := msgpack.Marshal(reply)
		if err != nil {
			return err
		}
		if _, err := output.Write(encoded); err != nil {
			return err
		}
	}
}

func answer(raw []byte, hello *Hello) (any, error) {
	var kind struct {
		Type string `msgpack:"type"`
	}
	if err := msgpack.Unmarshal(raw, &kind); err != nil {
		return nil, err
	}
	switch kind.Type {
	case "hello":
		return ready{Type: "ready", Name: "@NAME@"}, msgpack.Unmarshal(raw, hello)
	case "turn":
		turn := Turn{Hello: hello}
		if err := msgpack.Unmarshal(raw, &turn); err != nil {
			return nil, err
		}
		index := Choose(&turn)
		return act{Type: "act", Turn: turn.Number, Action: index, Note: turn.Note}, nil
	}
	return nil, nil
}

func main() {
	if err := Serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
