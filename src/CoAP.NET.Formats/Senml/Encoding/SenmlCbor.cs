using System.Buffers;

namespace CoAP.Formats;

/// <summary>Writes and reads SenML in CBOR (RFC 8428, section 6). <see cref="SenmlCborFormat"/> is the format for requests and responses.</summary>
public static class SenmlCbor
{
    // A reader keeps the arrays that it needs for nested items, which cost more than a small pack.
    [ThreadStatic]
    private static CborReader? _reader;

    /// <summary>Writes a pack.</summary>
    /// <param name="output">Receives the CBOR item.</param>
    /// <param name="pack">The pack.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <exception cref="ArgumentException">The pack has no record, or a record breaks a rule of RFC 8428.</exception>
    public static void Write(IBufferWriter<byte> output, SenmlPack pack, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        SenmlChecks.Check(pack, settings);
        var writer = new CborWriter(output);
        writer.WriteArrayStart(pack.Count);
        for (var i = 0; i < pack.Count; i++) { SenmlCborRecords.Write(writer, pack[i]); }
        writer.Flush();
    }

    /// <summary>Returns a pack as CBOR.</summary>
    /// <inheritdoc cref="Write" path="/exception"/>
    public static byte[] ToBytes(SenmlPack pack, SenmlSettings? settings = null)
    {
        var output = new ArrayBufferWriter<byte>();
        Write(output, pack, settings);
        return output.WrittenSpan.ToArray();
    }

    /// <summary>Reads a pack.</summary>
    /// <param name="payload">The CBOR item.</param>
    /// <param name="limits">The bounds of what the payload may cost; <see langword="null"/> for the default ones.</param>
    /// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
    /// <exception cref="CoapPayloadException">The payload is not a valid pack, or exceeds a limit.</exception>
    public static SenmlPack Read(ReadOnlyMemory<byte> payload, PayloadLimits? limits = null, SenmlSettings? settings = null)
    {
        limits ??= PayloadLimits.Default;
        limits.CheckSize(payload.Length);
        var reader = _reader ?? new CborReader(ReadOnlyMemory<byte>.Empty);
        _reader = null;
        reader.Reset(payload, limits);
        try { return ReadPack(reader, new SenmlRecordBuilder(limits, settings ?? SenmlSettings.Default)); }
        finally
        {
            reader.Reset(ReadOnlyMemory<byte>.Empty, limits);
            _reader = reader;
        }
    }

    private static SenmlPack ReadPack(CborReader reader, SenmlRecordBuilder builder)
    {
        var pack = new SenmlPack();
        reader.ReadArrayStart();
        while (reader.MoveNext())
        {
            builder.Begin(reader.Offset);
            pack.Add(SenmlCborRecords.Read(reader, builder));
        }
        reader.ReadEnd();
        return pack.Count > 0 ? pack : throw SenmlChecks.Empty(reader.Offset);
    }
}
