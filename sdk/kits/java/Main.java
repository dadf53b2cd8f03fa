// SPDX-License-Identifier: MIT
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.msgpack.core.MessageInsufficientBufferException;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessagePacker;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.MapValue;

/** Talks to the arena. Nothing here needs a change: Bot.java decides. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        // Neither is closed: the process ends with them, and Java would open /dev/null in their place.
        InputStream asked = arguments.length > 0 ? new FileInputStream(arguments[0]) : System.in;
        MessageUnpacker input = MessagePack.newDefaultUnpacker(asked);
        MessagePacker output = MessagePack.newDefaultPacker(System.out);
        try {
            MapValue hello = null;
            while (input.hasNext()) {
                MapValue message = input.unpackValue().asMapValue();
                switch (Pavilion.get(message, "type").toString()) {
                    case "hello" -> {
                        hello = message;
                        ready(output);
                    }
                    case "turn" -> act(output, new Pavilion.Turn(hello, message));
                    default -> { } // the end of the match, or something that a later arena says
                }
            }
        } catch (MessageInsufficientBufferException end) {
            System.exit(1);
        }
    }

    private static void ready(MessagePacker output) throws IOException {
        output.packMapHeader(2);
        output.packString("type").packString("ready");
        output.packString("name").packString("@NAME@");
        output.flush();
    }

    private static void act(MessagePacker output, Pavilion.Turn turn) throws IOException {
        int action = turn.actions.indexOf(Bot.choose(turn));
        output.packMapHeader(turn.note.isEmpty() ? 3 : 4);
        output.packString("type").packString("act");
        output.packString("turn").packLong(turn.number);
        output.packString("action").packInt(action);
        if (!turn.note.isEmpty()) {
            output.packString("note").packString(turn.note);
        }
        output.flush();
    }
}
