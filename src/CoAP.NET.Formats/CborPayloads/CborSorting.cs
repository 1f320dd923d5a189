using System.Buffers;
using System.Numerics;

namespace CoAP.Formats;

/// <summary>Encodes documents again as RFC 8949, section 4.2.1 requires: sorted keys, announced lengths, the shortest heads and numbers.</summary>
internal static class CborSorting
{
    private static readonly PayloadLimits Unlimited = new()
    {
        MaxDepth = 1000,
        MaxSize = int.MaxValue,
        MaxLength = int.MaxValue,
        MaxCount = int.MaxValue,
    };

    /// <summary>Writes a document with sorted keys.</summary>
    /// <exception cref="ArgumentException">A map has the same key twice.</exception>
    internal static void Write(ReadOnlyMemory<byte> document, IBufferWriter<byte> output)
    {
        var reader = new CborReader(document, Unlimited);
        var writer = new CborWriter(output);
        WriteItem(reader, writer);
        writer.Flush();
    }

    private static void WriteItem(CborReader reader, CborWriter writer)
    {
        switch (reader.Peek())
        {
            case ItemKind.Array: WriteArray(reader, writer); break;
            case ItemKind.Map: WriteMap(reader, writer); break;
            case ItemKind.Integer: writer.WriteBigInteger(reader.ReadBigInteger()); break;
            case ItemKind.Float: writer.WriteDouble(reader.ReadDouble()); break;
            case ItemKind.Text: writer.WriteUtf8(reader.ReadUtf8()); break;
            case ItemKind.Bytes: writer.WriteBytes(reader.ReadBytes()); break;
            case ItemKind.Tagged or ItemKind.Timestamp: WriteTagged(reader, writer); break;
            default: writer.WriteSimple(reader.ReadSimple()); break;
        }
    }

    private static void WriteTagged(CborReader reader, CborWriter writer)
    {
        var tag = reader.ReadTag();
        if (tag is CborMajor.PositiveTag or CborMajor.NegativeTag && reader.Peek() is ItemKind.Bytes)
        {
            // The shortest form: no zeros in front, and no tag if 64 bits are enough (RFC 8949, section 3.4.3).
            var magnitude = new BigInteger(reader.ReadBytes(), isUnsigned: true, isBigEndian: true);
            writer.WriteBigInteger(tag == CborMajor.PositiveTag ? magnitude : -BigInteger.One - magnitude);
            return;
        }
        writer.WriteTag(tag);
        WriteItem(reader, writer);
    }

    private static void WriteArray(CborReader reader, CborWriter writer)
    {
        if (reader.ReadArrayStart() is { } count)
        {
            writer.WriteArrayStart(count);
            while (reader.MoveNext()) { WriteItem(reader, writer); }
            return;
        }
        var items = new ArrayBufferWriter<byte>();
        var inner = new CborWriter(items);
        for (count = 0; reader.MoveNext(); count++) { WriteItem(reader, inner); }
        inner.Flush();
        writer.WriteArrayStart(count);
        writer.WriteEncoded(items.WrittenSpan);
    }

    private static void WriteMap(CborReader reader, CborWriter writer)
    {
        reader.ReadMapStart();
        var bytes = new ArrayBufferWriter<byte>();
        var inner = new CborWriter(bytes);
        var entries = new List<(int Key, int Value, int End)>();
        while (reader.MoveNext())
        {
            var key = bytes.WrittenCount;
            WriteItem(reader, inner);
            inner.Flush();
            var value = bytes.WrittenCount;
            WriteItem(reader, inner);
            inner.Flush();
            entries.Add((key, value, bytes.WrittenCount));
        }
        entries.Sort((left, right) => bytes.WrittenSpan[left.Key..left.Value].SequenceCompareTo(bytes.WrittenSpan[right.Key..right.Value]));
        writer.WriteMapStart(entries.Count);
        var last = ReadOnlySpan<byte>.Empty;
        foreach (var (key, value, end) in entries)
        {
            if (bytes.WrittenSpan[key..value].SequenceEqual(last))
            {
                throw new ArgumentException("A map has the same key twice (RFC 8949, section 5.6).");
            }
            last = bytes.WrittenSpan[key..value];
            writer.WriteEncoded(bytes.WrittenSpan[key..end]);
        }
    }
}
