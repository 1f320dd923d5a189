using System.Globalization;
using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>Random documents, how they are written, and how what a reader says becomes the text of <see cref="PlainMessagePack"/>.</summary>
internal static class MessagePackTree
{
    private const int MostDepth = 6, MostInside = 20;

    public static string Quote(string text) => $"\"{text}\"";

    public static string Hex(byte[] bytes) => $"x{Convert.ToHexString(bytes)}";

    public static string Float(double value) => $"f{BitConverter.DoubleToUInt64Bits(value):x16}";

    /// <summary>Writes a random item, and returns its text.</summary>
    public static string WriteRandom(MessagePackWriter writer, Random random, int depth = 0)
    {
        switch (random.Next(depth < MostDepth ? 11 : 9))
        {
            case 0: writer.WriteNull(); return "nil";
            case 1: return WriteBoolean(writer, random.Next(2) == 0);
            case 2: return WriteSigned(writer, random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64));
            case 3: return WriteUnsigned(writer, (ulong)random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64));
            case 4: return WriteDouble(writer, BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)));
            case 5: return WriteSingle(writer, (float)random.Next(-1000, 1000) / 8);
            case 6: return WriteText(writer, random);
            case 7: return WriteBytes(writer, random);
            case 8: return WriteExtension(writer, random);
            case 9: return WriteArray(writer, random, depth);
            default: return WriteMap(writer, random, depth);
        }
    }

    /// <summary>Reads an item with the methods that its kind asks for, and returns its text.</summary>
    public static string Read(MessagePackReader reader)
    {
        switch (reader.Peek())
        {
            case ItemKind.Null: return reader.TryReadNull() ? "nil" : throw new InvalidOperationException("Peek and TryReadNull disagree.");
            case ItemKind.Boolean: return reader.ReadBoolean() ? "true" : "false";
            case ItemKind.Integer: return ReadInteger(reader);
            case ItemKind.Float: return Float(reader.ReadDouble());
            case ItemKind.Text: return Quote(reader.ReadText());
            case ItemKind.Bytes: return Hex(reader.ReadBytes());
            case ItemKind.Timestamp or ItemKind.Tagged:
                var data = reader.ReadExtension(out var type);
                return $"ext{type}:{Convert.ToHexString(data)}";
            case ItemKind.Array: return ReadArray(reader);
            case ItemKind.Map: return ReadMap(reader);
            default:
                reader.Skip();
                throw new InvalidOperationException("The end was skipped.");
        }
    }

    private static string ReadInteger(MessagePackReader reader)
    {
        var isUnsigned = false;
        try { return reader.ReadInt64().ToString(CultureInfo.InvariantCulture); }
        catch (CoapPayloadException error) when (error.Message.Contains("greater than", StringComparison.Ordinal)) { isUnsigned = true; }
        return isUnsigned ? reader.ReadUInt64().ToString(CultureInfo.InvariantCulture) : "";
    }

    private static string ReadArray(MessagePackReader reader)
    {
        var items = new List<string>();
        var count = reader.ReadArrayStart();
        while (reader.MoveNext()) { items.Add(Read(reader)); }
        items.Should().HaveCount(count!.Value);
        return $"[{string.Join(",", items)}]";
    }

    private static string ReadMap(MessagePackReader reader)
    {
        var entries = new List<string>();
        var count = reader.ReadMapStart();
        while (reader.MoveNext()) { entries.Add($"{Read(reader)}:{Read(reader)}"); }
        entries.Should().HaveCount(count!.Value);
        return $"{{{string.Join(",", entries)}}}";
    }

    private static string WriteBoolean(MessagePackWriter writer, bool value)
    {
        writer.WriteBoolean(value);
        return value ? "true" : "false";
    }

    private static string WriteSigned(MessagePackWriter writer, long value)
    {
        writer.WriteInt64(value);
        return value.ToString(CultureInfo.InvariantCulture);
    }

    private static string WriteUnsigned(MessagePackWriter writer, ulong value)
    {
        writer.WriteUInt64(value);
        return value.ToString(CultureInfo.InvariantCulture);
    }

    private static string WriteDouble(MessagePackWriter writer, double value)
    {
        writer.WriteDouble(value);
        return Float(value);
    }

    private static string WriteSingle(MessagePackWriter writer, float value)
    {
        writer.WriteSingle(value);
        return Float(value);
    }

    private static string WriteText(MessagePackWriter writer, Random random)
    {
        string[] letters = ["a", "b", " ", "ä", "水", "𐍈"];
        var text = new StringBuilder();
        for (var left = random.Next(random.Next(4) == 0 ? 300 : 40); left > 0; left--)
        {
            text.Append(letters[random.Next(random.Next(2) == 0 ? 2 : letters.Length)]);
        }
        writer.WriteText(text.ToString());
        return Quote(text.ToString());
    }

    private static string WriteBytes(MessagePackWriter writer, Random random)
    {
        var bytes = new byte[random.Next(random.Next(4) == 0 ? 300 : 20)];
        random.NextBytes(bytes);
        writer.WriteBytes(bytes);
        return Hex(bytes);
    }

    private static string WriteExtension(MessagePackWriter writer, Random random)
    {
        var (type, bytes) = ((sbyte)random.Next(-128, 128), new byte[random.Next(20)]);
        random.NextBytes(bytes);
        writer.WriteExtension(type, bytes);
        return $"ext{type}:{Convert.ToHexString(bytes)}";
    }

    private static string WriteArray(MessagePackWriter writer, Random random, int depth)
    {
        var count = random.Next(MostInside);
        writer.WriteArrayStart(count);
        return $"[{string.Join(",", Enumerable.Range(0, count).Select(_ => WriteRandom(writer, random, depth + 1)))}]";
    }

    private static string WriteMap(MessagePackWriter writer, Random random, int depth)
    {
        var count = random.Next(MostInside);
        writer.WriteMapStart(count);
        return $"{{{string.Join(",", Enumerable.Range(0, count).Select(_ => $"{Inside()}:{Inside()}"))}}}";

        string Inside() => WriteRandom(writer, random, depth + 1);
    }
}
