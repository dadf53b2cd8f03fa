// SPDX-License-Identifier: MIT
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.msgpack.core.MessagePack;
import org.msgpack.core.MessageUnpacker;
import org.msgpack.value.MapValue;

/** Plays the bundled turns without an arena: make test */
public final class TurnsTest {
    private TurnsTest() {}

    public static void main(String[] arguments) throws IOException {
        byte[] asked = Files.readAllBytes(Path.of("turns.msgpack"));
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream console = System.out;
        System.setIn(new ByteArrayInputStream(asked));
        System.setOut(new PrintStream(written, true));
        Main.main(new String[0]);
        List<MapValue> turns = messages(asked, "turn");
        List<MapValue> acts = messages(written.toByteArray(), "act");
        check(!turns.isEmpty() && acts.size() == turns.size(), "an answer to each turn");
        for (int i = 0; i < turns.size(); i++) {
            int action = Pavilion.get(acts.get(i), "action").asIntegerValue().toInt();
            int count = Pavilion.get(turns.get(i), "actions").asArrayValue().size();
            check(Pavilion.get(acts.get(i), "turn").equals(Pavilion.get(turns.get(i), "turn")), "its turn");
            check(action >= 0 && action < count, "a legal action");
        }
        console.println(turns.size() + " turns answered");
    }

    private static List<MapValue> messages(byte[] bytes, String type) throws IOException {
        List<MapValue> messages = new ArrayList<>();
        try (MessageUnpacker unpacker = MessagePack.newDefaultUnpacker(bytes)) {
            while (unpacker.hasNext()) {
                MapValue message = unpacker.unpackValue().asMapValue();
                if (Pavilion.get(message, "type").toString().equals(type)) {
                    messages.add(message);
                }
            }
        }
        return messages;
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
