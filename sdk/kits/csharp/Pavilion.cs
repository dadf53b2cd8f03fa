// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.Linq;

/// <summary>Names for what the arena tells. Rules and protocol: /docs/rules.html, /docs/protocol.html on its site.</summary>
public static class Pavilion
{
    public const int Purple = 0, Green = 1, Orange = 2, Yellow = 3, Blue = 4, Red = 5;
    public static readonly string[] ColorNames = { "purple", "green", "orange", "yellow", "blue", "red" };

    /// <summary>Stars 0 to 5 lie around it, clockwise from the top left.</summary>
    public const int CenterStar = 6;

    /// <summary>A draft's source: the center of the table; displays are 0, 1, ...</summary>
    public const int Center = -1;

    /// <summary>On a star: no tile.</summary>
    public const int Empty = -1;

    /// <summary>Colors of the outer stars on the colored side: orange, red, blue, yellow, green, purple.</summary>
    public static readonly int[] StarColors = { 2, 5, 4, 3, 1, 0 };

    /// <summary>A bonus feature: the tiles that it gives once its spaces (star, position) are filled.</summary>
    public sealed class Feature
    {
        public readonly int Tiles;
        public readonly int[,] Spaces;

        public Feature(int tiles, int[,] spaces)
        {
            Tiles = tiles;
            Spaces = spaces;
        }
    }

    /// <summary>Bonus features.</summary>
    public static readonly Feature[] Features =
    {
        // pillars
        new Feature(1, new[,] { { 0, 1 }, { 0, 2 }, { 6, 5 }, { 6, 0 } }),
        new Feature(1, new[,] { { 1, 1 }, { 1, 2 }, { 6, 0 }, { 6, 1 } }),
        new Feature(1, new[,] { { 2, 1 }, { 2, 2 }, { 6, 1 }, { 6, 2 } }),
        new Feature(1, new[,] { { 3, 1 }, { 3, 2 }, { 6, 2 }, { 6, 3 } }),
        new Feature(1, new[,] { { 4, 1 }, { 4, 2 }, { 6, 3 }, { 6, 4 } }),
        new Feature(1, new[,] { { 5, 1 }, { 5, 2 }, { 6, 4 }, { 6, 5 } }),
        // statues
        new Feature(2, new[,] { { 0, 0 }, { 0, 1 }, { 1, 2 }, { 1, 3 } }),
        new Feature(2, new[,] { { 1, 0 }, { 1, 1 }, { 2, 2 }, { 2, 3 } }),
        new Feature(2, new[,] { { 2, 0 }, { 2, 1 }, { 3, 2 }, { 3, 3 } }),
        new Feature(2, new[,] { { 3, 0 }, { 3, 1 }, { 4, 2 }, { 4, 3 } }),
        new Feature(2, new[,] { { 4, 0 }, { 4, 1 }, { 5, 2 }, { 5, 3 } }),
        new Feature(2, new[,] { { 5, 0 }, { 5, 1 }, { 0, 2 }, { 0, 3 } }),
        // windows
        new Feature(3, new[,] { { 0, 4 }, { 0, 5 } }),
        new Feature(3, new[,] { { 1, 4 }, { 1, 5 } }),
        new Feature(3, new[,] { { 2, 4 }, { 2, 5 } }),
        new Feature(3, new[,] { { 3, 4 }, { 3, 5 } }),
        new Feature(3, new[,] { { 4, 4 }, { 4, 5 } }),
        new Feature(3, new[,] { { 5, 4 }, { 5, 5 } }),
    };

    /// <summary>How many tiles a space takes.</summary>
    public static int Cost(string board, int star, int position)
    {
        if (board == "colored") return position + 1;
        return star == CenterStar ? 3 : new[] { 3, 2, 1, 4, 5, 6 }[position];
    }

    /// <summary>The points for a tile on that position: the run of filled spaces that it joins.</summary>
    public static int RunLength(int[] star, int position)
    {
        int length = 1;
        foreach (int step in new[] { 1, 5 })
        {
            for (int at = (position + step) % 6; star[at] != Empty && length < 6; at = (at + step) % 6) length++;
        }
        return length;
    }
}

public enum Kind { Draft, Place, Bonus, Pass }

/// <summary>One decision. Kind says which of the others count.</summary>
public sealed class Action
{
    public Kind Kind;
    public int Source; // draft: a display, or Pavilion.Center
    public int Color; // draft and place
    public int Star, Position, Wilds; // place; Wilds of the tiles spent are of the wild color
    public int[] Tiles; // bonus: taken; pass: kept; counts by color

    internal Action(object wire)
    {
        var parts = (List<object>)wire;
        Kind = (Kind)Enum.Parse(typeof(Kind), (string)parts[0], true);
        if (Kind == Kind.Draft)
        {
            Source = Convert.ToInt32(parts[1]);
            Color = Convert.ToInt32(parts[2]);
        }
        else if (Kind == Kind.Place)
        {
            Star = Convert.ToInt32(parts[1]);
            Position = Convert.ToInt32(parts[2]);
            Color = Convert.ToInt32(parts[3]);
            Wilds = Convert.ToInt32(parts[4]);
        }
        else
        {
            Tiles = Turn.Counts(parts[1]);
        }
    }
}

/// <summary>What everybody sees of one seat; stars have the color on each space, or Empty.</summary>
public sealed class Player
{
    public int Score;
    public int[] Hand, Corners;
    public int[][] Stars;
}

/// <summary>One decision that is due.</summary>
public sealed class Turn
{
    public readonly long Number;
    public readonly int Seat;
    public readonly string Board; // "colored" or "gray"
    public readonly long TurnMs; // of the clock
    public readonly long BankMs; // what is left
    public readonly Dictionary<string, object> State; // as the protocol lists it
    public readonly List<Player> Players = new List<Player>();
    public readonly List<Action> Actions; // every legal one
    public readonly int Wild; // this round's wild color
    public readonly int Token; // who holds it, -1 while it lies in the center
    public string Note = ""; // set it, and the replay shows it with this decision

    internal Turn(Dictionary<string, object> hello, Dictionary<string, object> message)
    {
        Number = (long)message["turn"];
        Seat = Convert.ToInt32(hello["seat"]);
        Board = (string)hello["board"];
        TurnMs = (long)((Dictionary<string, object>)hello["clock"])["turn_ms"];
        BankMs = (long)message["bank_ms"];
        State = (Dictionary<string, object>)message["state"];
        Wild = Convert.ToInt32(State["wild"]);
        Token = Convert.ToInt32(State["token"]);
        Actions = ((List<object>)message["actions"]).Select(action => new Action(action)).ToList();
        foreach (Dictionary<string, object> player in (List<object>)State["players"])
        {
            Players.Add(new Player
            {
                Score = Convert.ToInt32(player["score"]),
                Hand = Counts(player["hand"]),
                Corners = Counts(player["corners"]),
                Stars = ((List<object>)player["stars"]).Select(Counts).ToArray(),
            });
        }
    }

    /// <summary>My score, hand, corners and stars.</summary>
    public Player Me { get { return Players[Seat]; } }

    /// <summary>The tiles of a display or of the center, counts by color.</summary>
    public int[] TilesAt(int source)
    {
        return Counts(source == Pavilion.Center ? State["center"] : ((List<object>)State["displays"])[source]);
    }

    internal static int[] Counts(object array)
    {
        return ((List<object>)array).Select(Convert.ToInt32).ToArray();
    }
}
