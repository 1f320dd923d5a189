using System.Numerics;

namespace CoAP.Formats.Tests;

public sealed class CborHostileTests
{
    private static readonly byte[][] Documents =
    [
        .. CborVectors.All.Select(vector => Convert.FromHexString(vector.Hex)),
        .. CborVectors.MalformedHex.Select(Convert.FromHexString),
    ];

    [Fact]
    public void Random_bytes_break_nothing() => HostileInputs.Run(Documents, ReadAll, seed: 8949);

    [Fact]
    public void Random_bytes_break_no_single_method()
    {
        Action<CborReader>[] methods =
        [
            reader => reader.ReadInt64(), reader => reader.ReadUInt64(), reader => reader.ReadBigInteger(),
            reader => reader.ReadDouble(), reader => reader.ReadText(),
            reader => reader.ReadUtf8(), reader => reader.ReadBytes(), reader => reader.ReadTimestamp(),
            reader => reader.ReadBoolean(), reader => reader.ReadSimple(),
            reader => reader.ReadTag(), reader => reader.TryReadNull(), reader => reader.TryReadUndefined(), reader => reader.Skip(),
            reader => { reader.ReadArrayStart(); reader.ReadInt32s(stackalloc int[5]); reader.MoveNext(); },
            reader => reader.TakeInt32s(stackalloc int[5]),
        ];
        HostileInputs.Run(Documents, (document, turn) => methods[turn % methods.Length](new CborReader(document)), seed: 89491);
    }

    // Reads each item by its kind, as a contract for any value would do.
    private static void ReadAll(byte[] document)
    {
        var reader = new CborReader(document);
        ReadItem(reader);
        reader.ReadEnd();
    }

    private static object? ReadItem(CborReader reader)
    {
        switch (reader.Peek())
        {
            case ItemKind.Null: return reader.TryReadNull() ? null : throw new InvalidOperationException("The null was not read.");
            case ItemKind.Boolean: return reader.ReadBoolean();
            case ItemKind.Integer: return reader.ReadBigInteger();
            case ItemKind.Float: return reader.ReadDouble();
            case ItemKind.Text: return reader.ReadText();
            case ItemKind.Bytes: return reader.ReadBytes();
            case ItemKind.Timestamp: return reader.ReadTimestamp();
            case ItemKind.Simple: return reader.ReadSimple();
            case ItemKind.Tagged: return (BigInteger)reader.ReadTag() + (ReadItem(reader) is null ? 0 : 1);
            case ItemKind.Array: return ReadItems(reader, reader.ReadArrayStart(), 1);
            case ItemKind.Map: return ReadItems(reader, reader.ReadMapStart() * 2, 2);
            default: throw reader.Error("An item is expected");
        }
    }

    private static int ReadItems(CborReader reader, int? count, int perEntry)
    {
        var items = count ?? 0;
        while (reader.MoveNext())
        {
            for (var i = 0; i < perEntry; i++) { ReadItem(reader); }
        }
        return items;
    }
}
