using System.Buffers;
using System.Formats.Cbor;
using System.Numerics;
using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>Compares the codec with System.Formats.Cbor on random documents.</summary>
public sealed class CborRandomTests
{
    private const int Documents = 3000;

    [Fact]
    public void Writes_the_same_bytes_as_the_reference()
    {
        for (var seed = 0; seed < Documents; seed++)
        {
            var reference = new System.Formats.Cbor.CborWriter(CborConformanceMode.Lax);
            var output = new ArrayBufferWriter<byte>();
            var writer = new CborWriter(output);
            WriteReference(reference, new Random(seed), 0);
            WriteOurs(writer, new Random(seed), 0);
            writer.Flush();

            Convert.ToHexString(output.WrittenSpan).Should().Be(Convert.ToHexString(reference.Encode()), $"the seed is {seed}");
        }
    }

    [Theory, InlineData(false), InlineData(true)]
    public void Reads_the_same_values_as_the_reference(bool isIndefinite)
    {
        for (var seed = 0; seed < Documents; seed++)
        {
            var writer = new System.Formats.Cbor.CborWriter(CborConformanceMode.Lax);
            WriteReference(writer, new Random(seed), 0, isIndefinite);
            var document = writer.Encode();
            var expected = new StringBuilder();
            AppendReference(new System.Formats.Cbor.CborReader(document, CborConformanceMode.Lax), expected);

            CborText.Of(document).Should().Be(expected.ToString(), $"the seed is {seed}");
        }
    }

    [Fact]
    public void Accepts_and_rejects_the_same_mutations_as_the_reference()
    {
        var valid = CborVectors.All.Select(vector => Convert.FromHexString(vector.Hex)).ToArray();
        var random = new Random(8949);
        for (var i = 0; i < 50_000; i++)
        {
            var document = HostileInputs.Next(random, valid);
            // The reference accepts simple values below 32 in two bytes, which RFC 8949, section 3.3, forbids.
            if (document.Zip(document.Skip(1)).Any(pair => pair is (0xf8, < 32))) { continue; }

            Accepts(document).Should().Be(ReferenceAccepts(document), Convert.ToHexString(document));
        }
    }

    private static bool Accepts(byte[] document)
    {
        var reader = new CborReader(document, new PayloadLimits { MaxDepth = 1000 });
        try
        {
            reader.Skip();
            reader.ReadEnd();
            return true;
        }
        catch (CoapPayloadException) { return false; }
    }

    private static bool ReferenceAccepts(byte[] document)
    {
        try
        {
            var reader = new System.Formats.Cbor.CborReader(document, CborConformanceMode.Lax, allowMultipleRootLevelValues: true);
            var text = new StringBuilder();
            AppendReference(reader, text);
            // In this mode, the reference replaces bytes that are not UTF-8.
            return reader.BytesRemaining == 0 && !text.ToString().Contains("\\uFFFD", StringComparison.Ordinal);
        }
        catch (Exception exception) when (exception is CborContentException or InvalidOperationException or OverflowException) { return false; }
    }

    private static void WriteOurs(CborWriter writer, Random random, int depth)
    {
        switch (random.Next(depth > 5 ? 9 : 11))
        {
            case 0: writer.WriteInt64(random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64)); break;
            case 1: writer.WriteUInt64((ulong)random.NextInt64() << random.Next(2)); break;
            case 2: writer.WriteDouble(Number(random)); break;
            case 3: writer.WriteSingle((float)Number(random)); break;
            case 4: writer.WriteText(Text(random)); break;
            case 5: writer.WriteBytes(Bytes(random)); break;
            case 6: writer.WriteBoolean(random.Next(2) == 0); break;
            case 7: writer.WriteNull(); break;
            case 8:
                writer.WriteTag(Tag(random));
                WriteOurs(writer, random, depth + 1);
                break;
            case 9:
                var items = random.Next(30);
                writer.WriteArrayStart(items);
                for (var i = 0; i < items; i++) { WriteOurs(writer, random, depth + 2); }
                break;
            default:
                var entries = random.Next(8);
                writer.WriteMapStart(entries);
                for (var i = 0; i < entries; i++)
                {
                    writer.WriteInt64(i);
                    WriteOurs(writer, random, depth + 2);
                }
                break;
        }
    }

    private static void WriteReference(System.Formats.Cbor.CborWriter writer, Random random, int depth, bool isIndefinite = false)
    {
        switch (random.Next(depth > 5 ? 9 : 11))
        {
            case 0: writer.WriteInt64(random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64)); break;
            case 1: writer.WriteUInt64((ulong)random.NextInt64() << random.Next(2)); break;
            case 2: writer.WriteDouble(Number(random)); break;
            case 3: writer.WriteSingle((float)Number(random)); break;
            case 4: writer.WriteTextString(Text(random)); break;
            case 5: writer.WriteByteString(Bytes(random)); break;
            case 6: writer.WriteBoolean(random.Next(2) == 0); break;
            case 7: writer.WriteNull(); break;
            case 8:
                writer.WriteTag((CborTag)Tag(random));
                WriteReference(writer, random, depth + 1, isIndefinite);
                break;
            case 9:
                var items = random.Next(30);
                writer.WriteStartArray(isIndefinite ? null : items);
                for (var i = 0; i < items; i++) { WriteReference(writer, random, depth + 2, isIndefinite); }
                writer.WriteEndArray();
                break;
            default:
                var entries = random.Next(8);
                writer.WriteStartMap(isIndefinite ? null : entries);
                for (var i = 0; i < entries; i++)
                {
                    writer.WriteInt64(i);
                    WriteReference(writer, random, depth + 2, isIndefinite);
                }
                writer.WriteEndMap();
                break;
        }
    }

    private static void AppendReference(System.Formats.Cbor.CborReader reader, StringBuilder text)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.UnsignedInteger: text.Append(reader.ReadUInt64()); break;
            case CborReaderState.NegativeInteger: text.Append(-BigInteger.One - reader.ReadCborNegativeIntegerRepresentation()); break;
            case CborReaderState.HalfPrecisionFloat or CborReaderState.SinglePrecisionFloat or CborReaderState.DoublePrecisionFloat:
                text.Append(CborText.OfDouble(reader.ReadDouble()));
                break;
            case CborReaderState.TextString or CborReaderState.StartIndefiniteLengthTextString: text.Append(CborText.OfText(reader.ReadTextString())); break;
            case CborReaderState.ByteString or CborReaderState.StartIndefiniteLengthByteString: text.Append(CborText.OfBytes(reader.ReadByteString())); break;
            case CborReaderState.Boolean: text.Append(reader.ReadBoolean() ? "true" : "false"); break;
            case CborReaderState.Null or CborReaderState.Undefined or CborReaderState.SimpleValue: AppendSimple(reader, text); break;
            case CborReaderState.Tag:
                text.Append((ulong)reader.ReadTag()).Append('(');
                AppendReference(reader, text);
                text.Append(')');
                break;
            case CborReaderState.StartArray: AppendArray(reader, text); break;
            case CborReaderState.StartMap: AppendMap(reader, text); break;
            default: throw new CborContentException("The document ends.");
        }
    }

    private static void AppendSimple(System.Formats.Cbor.CborReader reader, StringBuilder text)
    {
        var value = reader.ReadSimpleValue();
        text.Append(value switch { CborSimpleValue.Null => "null", CborSimpleValue.Undefined => "undefined", _ => $"simple({(int)value})" });
    }

    private static void AppendArray(System.Formats.Cbor.CborReader reader, StringBuilder text)
    {
        text.Append(reader.ReadStartArray() is null ? "[_ " : "[");
        for (var separator = ""; reader.PeekState() != CborReaderState.EndArray; separator = ", ")
        {
            text.Append(separator);
            AppendReference(reader, text);
        }
        reader.ReadEndArray();
        text.Append(']');
    }

    private static void AppendMap(System.Formats.Cbor.CborReader reader, StringBuilder text)
    {
        text.Append(reader.ReadStartMap() is null ? "{_ " : "{");
        for (var separator = ""; reader.PeekState() != CborReaderState.EndMap; separator = ", ")
        {
            text.Append(separator);
            AppendReference(reader, text);
            text.Append(": ");
            AppendReference(reader, text);
        }
        reader.ReadEndMap();
        text.Append('}');
    }

    private static double Number(Random random) => random.Next(5) switch
    {
        0 => BitConverter.Int64BitsToDouble(random.NextInt64()),
        1 => (double)BitConverter.UInt16BitsToHalf((ushort)random.Next(1 << 16)),
        2 => random.NextSingle(),
        3 => random.Next(1 << 20),
        _ => random.NextDouble(),
    };

    private static string Text(Random random)
    {
        var text = new StringBuilder();
        for (var left = random.Next(random.Next(20) == 0 ? 2000 : 30); left > 0; left--)
        {
            text.Append(new Rune(random.Next(4) switch { 0 => random.Next(0x80, 0x800), 1 => random.Next(0x1f600, 0x1f650), _ => random.Next(0x20, 0x7f) }));
        }
        return text.ToString();
    }

    private static byte[] Bytes(Random random)
    {
        var bytes = new byte[random.Next(300)];
        random.NextBytes(bytes);
        return bytes;
    }

    // Not 2 or 3, which are integers with bytes.
    private static ulong Tag(Random random) => (ulong)random.NextInt64(4, long.MaxValue) >> random.Next(40) | 8;
}
