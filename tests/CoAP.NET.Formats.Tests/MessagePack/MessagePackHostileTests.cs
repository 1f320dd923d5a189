namespace CoAP.Formats.Tests;

public sealed class MessagePackHostileTests
{
    private const int Seed = 65_100;

    private static readonly MessagePackFormat Format = new(PayloadContracts.Builtin);

    [Fact]
    public void Random_bytes_break_nothing() => HostileInputs.Run(Documents(), static input =>
    {
        var kind = input.Length > 0 ? input[^1] % 3 : 0;
        if (kind == 0) { ReadAll(new MessagePackReader(input)); }
        else if (kind == 1) { SkipAll(new MessagePackReader(input)); }
        else { ReadWrongly(new MessagePackReader(input), input); }
    }, Seed);

    [Fact]
    public void Random_bytes_break_no_contract() => HostileInputs.Run(Documents(), static input =>
    {
        switch (input.Length > 0 ? input[0] % 4 : 0)
        {
            case 0: Format.Read<int[]>(input); break;
            case 1: Format.Read<List<string>>(input); break;
            case 2: Format.Read<DateTimeOffset>(input); break;
            default: Format.Read<double>(input); break;
        }
    }, Seed + 1, HostileInputs.Count / 10);

    private static List<byte[]> Documents()
    {
        var random = new Random(Seed);
        var documents = new List<byte[]>();
        for (var i = 0; i < 200; i++)
        {
            documents.Add(MessagePackDocument.Write(writer => MessagePackTree.WriteRandom(writer, random, depth: random.Next(3, 6))));
        }
        documents.AddRange(MessagePackVectorTests.Integers.SelectMany(static row => ((string)row[1]).Split(' ')).Select(Convert.FromHexString));
        documents.Add(MessagePackDocument.Write(static writer => writer.WriteTimestamp(DateTimeOffset.MaxValue)));
        documents.Add(MessagePackDocument.Write(static writer => writer.WriteTimestamp(DateTimeOffset.UnixEpoch.AddTicks(1))));
        documents.RemoveAll(static document => document.Length > 2000);
        return documents;
    }

    // As a contract of any value does: what is next decides what is read, and lists get room for as many items as announced.
    private static object? ReadAll(MessagePackReader reader)
    {
        switch (reader.Peek())
        {
            case ItemKind.Boolean: return reader.ReadBoolean();
            case ItemKind.Integer or ItemKind.Float: return reader.ReadDouble();
            case ItemKind.Text: return reader.ReadText();
            case ItemKind.Bytes: return reader.ReadBytes();
            case ItemKind.Timestamp: return reader.ReadTimestamp();
            case ItemKind.Tagged: return reader.ReadExtension(out _);
            case ItemKind.Array:
                var items = new List<object?>(reader.ReadArrayStart()!.Value);
                while (reader.MoveNext()) { items.Add(ReadAll(reader)); }
                return items;
            case ItemKind.Map:
                var entries = new List<(object?, object?)>(reader.ReadMapStart()!.Value);
                while (reader.MoveNext()) { entries.Add((ReadAll(reader), ReadAll(reader))); }
                return entries;
            default: return reader.TryReadNull() ? null : throw reader.Error("There is no item");
        }
    }

    private static void SkipAll(MessagePackReader reader)
    {
        while (reader.Peek() != ItemKind.End) { reader.Skip(); }
        reader.ReadEnd();
    }

    // Calls methods that the input itself selects, in whatever order.
    private static void ReadWrongly(MessagePackReader reader, byte[] input)
    {
        Span<int> integers = stackalloc int[8];
        foreach (var choice in input)
        {
            switch (choice % 14)
            {
                case 0: reader.ReadArrayStart(); break;
                case 1: reader.ReadMapStart(); break;
                case 2 or 3: reader.MoveNext(); break;
                case 4: reader.ReadInt64(); break;
                case 5: reader.ReadUInt64(); break;
                case 6: reader.ReadText(); break;
                case 7: reader.ReadUtf8(); break;
                case 8: reader.ReadBytes(); break;
                case 9: reader.ReadTimestamp(); break;
                case 10: reader.ReadInt32s(integers); break;
                case 11: reader.TryReadNull(); break;
                case 12: reader.Skip(); break;
                default: ReadAll(reader); break;
            }
        }
    }
}
