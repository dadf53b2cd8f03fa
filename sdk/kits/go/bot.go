// SPDX-License-Identifier: MIT

// The bot: Choose is all that the arena asks of it. Change it as you like.
package main

// Choose returns the index of one of turn.Actions.
func Choose(turn *Turn) int {
	best := 0
	for i := range turn.Actions {
		if worth(turn, &turn.Actions[i]) > worth(turn, &turn.Actions[best]) {
			best = i
		}
	}
	return best
}

// worth says how good an action looks. What to try next: see the README.
func worth(turn *Turn, action *Action) int {
	switch action.Kind {
	case "draft":
		return draftWorth(turn, action)
	case "place":
		// Points now. Wild tiles are worth keeping.
		points := RunLength(turn.Me().Stars[action.Star], action.Position)
		return 100 + 10*points - action.Wilds
	case "bonus":
		return bonusWorth(turn, action)
	}
	kept := 0 // passing: as a last resort, keeping what can be kept
	for _, count := range action.Tiles {
		kept += count
	}
	return kept
}

func draftWorth(turn *Turn, action *Action) int {
	tiles := turn.TilesAt(action.Source)
	worth := tiles[action.Color]
	if action.Color != turn.State.Wild && tiles[turn.State.Wild] > 0 {
		worth += 2 // a wild tile comes along
	}
	if action.Source == Center && turn.State.Token == -1 {
		worth -= 2 // the first to take from the center loses points
	}
	return worth
}

// bonusWorth prefers what goes with the tiles that are in the hand already.
func bonusWorth(turn *Turn, action *Action) int {
	worth := 0
	for color, count := range action.Tiles {
		worth += count * (1 + turn.Me().Hand[color])
	}
	return worth
}
