// SPDX-License-Identifier: MIT
import java.util.ArrayList;
import java.util.List;
import org.msgpack.value.ArrayValue;
import org.msgpack.value.MapValue;
import org.msgpack.value.Value;
import org.msgpack.value.ValueFactory;

/** Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site. */
public final class Pavilion {
    public static final int PURPLE = 0;
    public static final int GREEN = 1;
    public static final int ORANGE = 2;
    public static final int YELLOW = 3;
    public static final int BLUE = 4;
    public static final int RED = 5;
    public static final List<String> COLOR_NAMES =
            List.of("purple", "green", "orange", "yellow", "blue", "red");

    /** Stars 0 to 5 lie around it, clockwise from the top left. */
    public static final int CENTER_STAR = 6;

    /** A draft's source: the center of the table; displays are 0, 1, ... */
    public static final int CENTER = -1;

    /** On a star: no tile. */
    public static final int EMPTY = -1;

    private Pavilion() {}

    /** One decision: one of the four below. */
    public interface Action {}

    public record Draft(int source, int color) implements Action {}

    /** wilds: how many of the tiles spent are of the wild color. */
    public record Place(int star, int position, int color, int wilds) implements Action {}

    /** Tiles taken from the supply, counts by color. */
    public record Bonus(List<Integer> tiles) implements Action {}

    /** Tiles kept for the next round, counts by color. */
    public record Pass(List<Integer> tiles) implements Action {}

    /** What everybody sees of one seat; stars have the color on each space, or EMPTY. */
    public static final class Player {
        public final int score;
        public final int[] hand;
        public final int[] corners;
        public final int[][] stars;

        Player(MapValue player) {
            score = integer(player, "score");
            hand = counts(get(player, "hand"));
            corners = counts(get(player, "corners"));
            stars = countsOfEach(get(player, "stars"));
        }
    }

    /** One decision that is due. */
    public static final class Turn {
        public final long number;
        public final int seat;
        public final String board; // "colored" or "gray"
        public final int turnMs; // of the clock
        public final int bankMs; // what is left
        public final int round;
        public final String phase;
        public final int wild; // this round's wild color
        public final int token; // who holds it, -1 while it lies in the center
        public final int[][] displays;
        public final int[] center;
        public final int[] supply;
        public final List<Player> players = new ArrayList<>();
        public final List<Action> actions = new ArrayList<>(); // every legal one
        public String note = ""; // set it, and the replay shows it with this decision

        Turn(MapValue hello, MapValue message) {
            MapValue state = get(message, "state").asMapValue();
            number = get(message, "turn").asIntegerValue().toLong();
            seat = integer(hello, "seat");
            board = get(hello, "board").toString();
            turnMs = integer(get(hello, "clock").asMapValue(), "turn_ms");
            bankMs = integer(message, "bank_ms");
            round = integer(state, "round");
            phase = get(state, "phase").toString();
            wild = integer(state, "wild");
            token = integer(state, "token");
            displays = countsOfEach(get(state, "displays"));
            center = counts(get(state, "center"));
            supply = counts(get(state, "supply"));
            get(state, "players").asArrayValue().forEach(player -> players.add(new Player(player.asMapValue())));
            get(message, "actions").asArrayValue().forEach(action -> actions.add(action(action.asArrayValue())));
        }

        /** My score, hand, corners and stars. */
        public Player me() {
            return players.get(seat);
        }

        /** The tiles of a display or of the center, counts by color. */
        public int[] tilesAt(int source) {
            return source == CENTER ? center : displays[source];
        }
    }

    /** Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple. */
    public static final int[] STAR_COLORS = {2, 5, 4, 3, 1, 0};

    /** A bonus feature: the tiles that it gives once its spaces {star, position} are filled. */
    public record Feature(int tiles, int[][] spaces) { }

    /** Bonus features. */
    public static final Feature[] FEATURES = {
        // pillars
        new Feature(1, new int[][] {{0, 1}, {0, 2}, {6, 5}, {6, 0}}),
        new Feature(1, new int[][] {{1, 1}, {1, 2}, {6, 0}, {6, 1}}),
        new Feature(1, new int[][] {{2, 1}, {2, 2}, {6, 1}, {6, 2}}),
        new Feature(1, new int[][] {{3, 1}, {3, 2}, {6, 2}, {6, 3}}),
        new Feature(1, new int[][] {{4, 1}, {4, 2}, {6, 3}, {6, 4}}),
        new Feature(1, new int[][] {{5, 1}, {5, 2}, {6, 4}, {6, 5}}),
        // statues
        new Feature(2, new int[][] {{0, 0}, {0, 1}, {1, 2}, {1, 3}}),
        new Feature(2, new int[][] {{1, 0}, {1, 1}, {2, 2}, {2, 3}}),
        new Feature(2, new int[][] {{2, 0}, {2, 1}, {3, 2}, {3, 3}}),
        new Feature(2, new int[][] {{3, 0}, {3, 1}, {4, 2}, {4, 3}}),
        new Feature(2, new int[][] {{4, 0}, {4, 1}, {5, 2}, {5, 3}}),
        new Feature(2, new int[][] {{5, 0}, {5, 1}, {0, 2}, {0, 3}}),
        // windows
        new Feature(3, new int[][] {{0, 4}, {0, 5}}),
        new Feature(3, new int[][] {{1, 4}, {1, 5}}),
        new Feature(3, new int[][] {{2, 4}, {2, 5}}),
        new Feature(3, new int[][] {{3, 4}, {3, 5}}),
        new Feature(3, new int[][] {{4, 4}, {4, 5}}),
        new Feature(3, new int[][] {{5, 4}, {5, 5}}),
    };

    /** How many tiles a space takes. */
    public static int cost(String board, int star, int position) {
        if (board.equals("colored")) {
            return position + 1;
        }
        return star == CENTER_STAR ? 3 : new int[] {3, 2, 1, 4, 5, 6}[position];
    }

    /** The points for a tile on that position: the run of filled spaces that it joins. */
    public static int runLength(int[] star, int position) {
        int length = 1;
        for (int step : new int[] {1, 5}) {
            for (int at = (position + step) % 6; star[at] != EMPTY && length < 6; at = (at + step) % 6) {
                length++;
            }
        }
        return length;
    }

    /** The value of a key; nil if the map has none. */
    static Value get(MapValue map, String key) {
        return map.map().getOrDefault(ValueFactory.newString(key), ValueFactory.newNil());
    }

    private static int integer(MapValue map, String key) {
        return get(map, key).asIntegerValue().toInt();
    }

    private static int[] counts(Value array) {
        return array.asArrayValue().list().stream()
                .mapToInt(value -> value.asIntegerValue().toInt())
                .toArray();
    }

    private static int[][] countsOfEach(Value array) {
        return array.asArrayValue().list().stream().map(Pavilion::counts).toArray(int[][]::new);
    }

    private static List<Integer> tiles(Value array) {
        return array.asArrayValue().list().stream()
                .map(value -> value.asIntegerValue().toInt())
                .toList();
    }

    private static int number(ArrayValue action, int index) {
        return action.get(index).asIntegerValue().toInt();
    }

    private static Action action(ArrayValue action) {
        return switch (action.get(0).toString()) {
            case "draft" -> new Draft(number(action, 1), number(action, 2));
            case "place" ->
                new Place(number(action, 1), number(action, 2), number(action, 3), number(action, 4));
            case "bonus" -> new Bonus(tiles(action.get(1)));
            default -> new Pass(tiles(action.get(1)));
        };
    }
}
