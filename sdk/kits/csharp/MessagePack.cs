// SPDX-License-Identifier: MIT
using System;
using System.Collections.Generic;
using System.IO;
using System.Text;

/// <summary>
/// MessagePack, as much of it as the arena speaks: integers become long, strings string, arrays
/// List&lt;object&gt;, maps Dictionary&lt;string, object&gt;. See msgpack.org.
/// </summary>
public static class MessagePack
{
    /// <summary>The next value, or null at the end of the input.</summary>
    public static object Read(Stream input)
    {
        int first = input.ReadByte();
        return first < 0 ? null : ReadValue(input, first);
    }

    private static object ReadValue(Stream input, int first)
    {
        if (first <= 0x7f) return (long)first;
        if (first <= 0x8f) return ReadMap(input, first & 0x0f);
        if (first <= 0x9f) return ReadArray(input, first & 0x0f);
        if (first <= 0xbf) return ReadString(input, first & 0x1f);
        if (first >= 0xe0) return (long)(sbyte)first;
        switch (first)
        {
            case 0xc2: return false;
            case 0xc3: return true;
            case 0xc4: case 0xc5: case 0xc6: return ReadBytes(input, (int)ReadNumber(input, 1 << (first - 0xc4)));
            case 0xca: return (double)BitConverter.ToSingle(BitConverter.GetBytes((int)ReadNumber(input, 4)), 0);
            case 0xcb: return BitConverter.Int64BitsToDouble((long)ReadNumber(input, 8));
            case 0xcc: case 0xcd: case 0xce: case 0xcf: return (long)ReadNumber(input, 1 << (first - 0xcc));
            case 0xd0: return (long)(sbyte)ReadNumber(input, 1);
            case 0xd1: return (long)(short)ReadNumber(input, 2);
            case 0xd2: return (long)(int)ReadNumber(input, 4);
            case 0xd3: return (long)ReadNumber(input, 8);
            case 0xd9: case 0xda: case 0xdb: return ReadString(input, (int)ReadNumber(input, 1 << (first - 0xd9)));
            case 0xdc: case 0xdd: return ReadArray(input, (int)ReadNumber(input, 2 << (first - 0xdc)));
            case 0xde: case 0xdf: return ReadMap(input, (int)ReadNumber(input, 2 << (first - 0xde)));
            case 0xc7: case 0xc8: case 0xc9: return Extension(input, (int)ReadNumber(input, 1 << (first - 0xc7)));
            case 0xd4: case 0xd5: case 0xd6: case 0xd7: case 0xd8: return Extension(input, 1 << (first - 0xd4));
            case 0xc0: return null; // nil
            default: throw new InvalidDataException("0xc1 begins no value");
        }
    }

    private static byte[] ReadBytes(Stream input, int count)
    {
        var bytes = new byte[count];
        for (int read = 0; read < count;)
        {
            int got = input.Read(bytes, read, count - read);
            if (got <= 0) throw new EndOfStreamException();
            read += got;
        }
        return bytes;
    }

    /// <summary>What no bot needs, read whole so that what follows is found: a type and its bytes.</summary>
    private static object Extension(Stream input, int count)
    {
        ReadBytes(input, 1);
        return ReadBytes(input, count);
    }

    private static ulong ReadNumber(Stream input, int count)
    {
        ulong number = 0;
        foreach (byte part in ReadBytes(input, count)) number = number << 8 | part;
        return number;
    }

    private static string ReadString(Stream input, int count)
    {
        return Encoding.UTF8.GetString(ReadBytes(input, count));
    }

    private static object Inside(Stream input)
    {
        return ReadValue(input, (int)ReadNumber(input, 1));
    }

    private static List<object> ReadArray(Stream input, int count)
    {
        var array = new List<object>(count);
        while (array.Count < count) array.Add(Inside(input));
        return array;
    }

    private static Dictionary<string, object> ReadMap(Stream input, int count)
    {
        var map = new Dictionary<string, object>();
        for (int i = 0; i < count; i++)
        {
            string key = (string)Inside(input);
            map[key] = Inside(input);
        }
        return map;
    }

    /// <summary>Writes a map of strings and integers, as a bot's messages are.</summary>
    public static byte[] Write(Dictionary<string, object> map)
    {
        using (var output = new MemoryStream())
        {
            output.WriteByte((byte)(0x80 | map.Count));
            foreach (var pair in map)
            {
                WriteString(output, pair.Key);
                if (pair.Value is string) WriteString(output, (string)pair.Value);
                else WriteNumber(output, 0xd3, (ulong)Convert.ToInt64(pair.Value), 8);
            }
            return output.ToArray();
        }
    }

    private static void WriteNumber(Stream output, byte first, ulong number, int count)
    {
        output.WriteByte(first);
        while (count-- > 0) output.WriteByte((byte)(number >> (8 * count)));
    }

    private static void WriteString(Stream output, string text)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        WriteNumber(output, 0xda, (ulong)bytes.Length, 2);
        output.Write(bytes, 0, bytes.Length);
    }
}
