using System.Formats.Cbor;

namespace CoAP.Fuzzing.Oracles;

/// <summary>Reads CBOR with the decoder of ASP.NET Core's shared framework, and says in which points it differs from RFC 8949.</summary>
/// <remarks>
/// <para>Two differences are known. Its lax mode takes a simple value below 32 in two bytes, which is not well-formed (RFC 8949, section 3.3), and
/// skips texts without a look at their UTF-8, which makes them invalid but not malformed (section 5.3.1).</para>
/// <para>It has no limit of depth. Ours has one.</para>
/// </remarks>
internal sealed class CborOracle
{
    /// <summary>The number of arrays, maps and tags inside one another.</summary>
    public int Depth { get; private set; }

    /// <summary>Whether a text is not valid UTF-8.</summary>
    public bool HasInvalidText { get; private set; }

    /// <summary>Whether a simple value takes more bytes than it may.</summary>
    public bool HasLongSimpleValue { get; private set; }

    /// <summary>Reads the only data item of the payload. Returns null where there is not exactly one well-formed item.</summary>
    public static CborOracle? Read(byte[] payload)
    {
        var oracle = new CborOracle();
        var reader = new CborReader(payload, CborConformanceMode.Lax);
        try
        {
            oracle.Walk(reader);
            return reader.BytesRemaining == 0 ? oracle : null;
        }
        // Lengths above 2^31 are an overflow there, and an end that comes too early is sometimes the wrong state.
        catch (Exception error) when (error is CborContentException or OverflowException or InvalidOperationException)
        {
            return null;
        }
    }

    private void Walk(CborReader reader)
    {
        var (tags, all) = (0, 0); // before the next item, and around all items that are open
        var kept = new Stack<int>();
        do
        {
            var state = reader.PeekState();
            if (state == CborReaderState.Tag)
            {
                _ = reader.ReadTag();
                Depth = Math.Max(Depth, reader.CurrentDepth + all + ++tags);
                continue;
            }
            if (state is CborReaderState.StartArray or CborReaderState.StartMap)
            {
                kept.Push(tags);
                all += tags;
                _ = state == CborReaderState.StartArray ? reader.ReadStartArray() : reader.ReadStartMap();
                Depth = Math.Max(Depth, reader.CurrentDepth + all);
            }
            else if (state == CborReaderState.EndArray || state == CborReaderState.EndMap)
            {
                if (state == CborReaderState.EndArray) { reader.ReadEndArray(); }
                else { reader.ReadEndMap(); }
                all -= kept.Pop();
            }
            else { ReadLeaf(reader, state); }
            tags = 0;
        }
        while (reader.CurrentDepth > 0 || tags > 0);
    }

    private void ReadLeaf(CborReader reader, CborReaderState state)
    {
        switch (state)
        {
            case CborReaderState.TextString or CborReaderState.StartIndefiniteLengthTextString: ReadText(reader); break;
            case CborReaderState.SimpleValue:
                HasLongSimpleValue |= reader.ReadEncodedValue(disableConformanceModeChecks: true) is { Length: 2 } simple && simple.Span[1] < 32;
                break;
            default: reader.SkipValue(disableConformanceModeChecks: true); break;
        }
    }

    private void ReadText(CborReader reader)
    {
        var encoded = reader.ReadEncodedValue(disableConformanceModeChecks: true);
        try { _ = new CborReader(encoded, CborConformanceMode.Strict).ReadTextString(); }
        catch (CborContentException) { HasInvalidText = true; }
    }
}
