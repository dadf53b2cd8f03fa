// SPDX-License-Identifier: MIT
import java.util.Comparator;

/** The bot: choose() is all that the arena asks of it. Change it as you like. */
public final class Bot {
    private Bot() {}

    /** One of turn.actions. */
    static Pavilion.Action choose(Pavilion.Turn turn) {
        return turn.actions.stream().max(Comparator.comparingInt(action -> worth(turn, action))).get();
    }

    /** How good an action looks. What to try next: see the README. */
    private static int worth(Pavilion.Turn turn, Pavilion.Action action) {
        if (action instanceof Pavilion.Draft draft) {
            return draftWorth(turn, draft);
        }
        if (action instanceof Pavilion.Place place) {
            // Points now. Wild tiles are worth keeping.
            int points = Pavilion.runLength(turn.me().stars[place.star()], place.position());
            return 100 + 10 * points - place.wilds();
        }
        if (action instanceof Pavilion.Bonus bonus) {
            return bonusWorth(turn, bonus);
        }
        // Passing: as a last resort, keeping what can be kept.
        return ((Pavilion.Pass) action).tiles().stream().mapToInt(Integer::intValue).sum();
    }

    private static int draftWorth(Pavilion.Turn turn, Pavilion.Draft draft) {
        int[] tiles = turn.tilesAt(draft.source());
        int worth = tiles[draft.color()];
        if (draft.color() != turn.wild && tiles[turn.wild] > 0) {
            worth += 2; // a wild tile comes along
        }
        if (draft.source() == Pavilion.CENTER && turn.token == -1) {
            worth -= 2; // the first to take from the center loses points
        }
        return worth;
    }

    /** What goes with the tiles that are in the hand already. */
    private static int bonusWorth(Pavilion.Turn turn, Pavilion.Bonus bonus) {
        int worth = 0;
        for (int color = 0; color < 6; color++) {
            worth += bonus.tiles().get(color) * (1 + turn.me().hand[color]);
        }
        return worth;
    }
}
