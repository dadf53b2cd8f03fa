// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.IO;

/// <summary>Talks to the arena. Nothing here needs a change: Bot.cs decides.</summary>
public static class Program
{
    public static void Main(string[] arguments)
    {
        Stream asked = arguments.Length > 0 ? File.OpenRead(arguments[0]) : Console.OpenStandardInput();
        using (var input = new BufferedStream(asked, 65536))
        using (var output = Console.OpenStandardOutput())
        {
            Serve(input, output);
        }
    }

    /// <summary>Answers messages until the input ends.</summary>
    public static void Serve(Stream input, Stream output)
    {
        Dictionary<string, object> hello = null;
        while (MessagePack.Read(input) is Dictionary<string, object> message)
        {
            switch (message["type"] as string)
            {
                case "hello":
                    hello = message;
                    Send(output, new Dictionary<string, object>
                    {
                        { "type", "ready" }, { "name", "@NAME@" },
                    });
                    break;
                case "turn":
                    Send(output, Answer(new Turn(hello, message)));
                    break;
                default: // the end of the match, or something that a later arena says
                    break;
            }
        }
    }

    private static Dictionary<string, object> Answer(Turn turn)
    {
        var act = new Dictionary<string, object>
        {
            { "type", "act" }, { "turn", turn.Number }, { "action", turn.Actions.IndexOf(Bot.Choose(turn)) },
        };
        if (turn.Note != "") act["note"] = turn.Note;
        return act;
    }

    private static void Send(Stream output, Dictionary<string, object> message)
    {
        byte[] bytes = MessagePack.Write(message);
        output.Write(bytes, 0, bytes.Length);
        output.Flush();
    }
}
