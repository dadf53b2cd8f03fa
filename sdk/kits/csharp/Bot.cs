// SPDX-License-Identifier: MIT
using System.Linq;

/// <summary>The bot: Choose() is all that the arena asks of it. Change it as you like.</summary>
public static class Bot
{
    /// <summary>One of turn.Actions.</summary>
    public static Action Choose(Turn turn)
    {
        return turn.Actions.OrderByDescending(action => Worth(turn, action)).First();
    }

    /// <summary>How good an action looks. What to try next: see the README.</summary>
    private static int Worth(Turn turn, Action action)
    {
        switch (action.Kind)
        {
            case Kind.Draft:
                return DraftWorth(turn, action);
            case Kind.Place: // points now; wild tiles are worth keeping
                return 100 + 10 * Pavilion.RunLength(turn.Me.Stars[action.Star], action.Position) - action.Wilds;
            case Kind.Bonus: // what goes with the tiles that are in the hand already
                return action.Tiles.Select((count, color) => count * (1 + turn.Me.Hand[color])).Sum();
            default: // passing: as a last resort, keeping what can be kept
                return action.Tiles.Sum();
        }
    }

    private static int DraftWorth(Turn turn, Action action)
    {
        int[] tiles = turn.TilesAt(action.Source);
        int worth = tiles[action.Color];
        if (action.Color != turn.Wild && tiles[turn.Wild] > 0) worth += 2; // a wild tile comes along
        if (action.Source == Pavilion.Center && turn.Token == -1) worth -= 2; // the first there loses points
        return worth;
    }
}
