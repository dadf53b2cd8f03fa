// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

/// <summary>Plays the bundled turns without an arena: make test</summary>
public static class TurnsTest
{
    public static void Main()
    {
        byte[] asked = File.ReadAllBytes("turns.msgpack");
        var written = new MemoryStream();
        Program.Serve(new MemoryStream(asked), written);
        var turns = Messages(asked, "turn");
        var acts = Messages(written.ToArray(), "act");
        Check(turns.Count > 0 && acts.Count == turns.Count, "an answer to each turn");
        for (int i = 0; i < turns.Count; i++)
        {
            long action = (long)acts[i]["action"];
            Check((long)acts[i]["turn"] == (long)turns[i]["turn"], "its turn");
            Check(action >= 0 && action < ((List<object>)turns[i]["actions"]).Count, "a legal action");
        }
        Console.WriteLine(turns.Count + " turns answered");
    }

    private static List<Dictionary<string, object>> Messages(byte[] bytes, string type)
    {
        var messages = new List<Dictionary<string, object>>();
        var input = new MemoryStream(bytes);
        while (MessagePack.Read(input) is Dictionary<string, object> message) messages.Add(message);
        return messages.Where(one => (string)one["type"] == type).ToList();
    }

    private static void Check(bool holds, string what)
    {
        if (!holds) throw new Exception(what);
    }
}
