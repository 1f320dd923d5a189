using System.Buffers;

namespace CoAP.Formats;

/// <summary>CBOR (application/cbor, Content-Format 60, RFC 8949) in preferred serialization, for the types that have a contract.</summary>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class CborFormat : ItemFormat
{
    private const int MaxTags = 8;

    /// <summary>Creates the format.</summary>
    /// <param name="contracts">The contracts of the types to convert.</param>
    /// <param name="limits">The bounds of what a received payload may cost. Default: <see cref="PayloadLimits.Default"/>.</param>
    public CborFormat(PayloadContracts contracts, PayloadLimits? limits = null)
        : base(contracts, limits, ContentFormats.Cbor, "CBOR")
    {
    }

    /// <summary>
    /// Whether the entries of maps are sorted by their keys, so that equal values have equal bytes, for example for signatures (RFC 8949,
    /// section 4.2.1). Costs a second pass. <see cref="ItemFormat.WriteItems"/> does not sort. Default: <see langword="false"/>.
    /// </summary>
    public bool IsDeterministic { get; init; }

    /// <inheritdoc/>
    /// <exception cref="ArgumentException">A map has the same key twice, and <see cref="IsDeterministic"/> is set.</exception>
    public override void Write<T>(IBufferWriter<byte> output, T value)
    {
        if (!IsDeterministic)
        {
            base.Write(output, value);
            return;
        }
        ArgumentNullException.ThrowIfNull(output);
        var unsorted = new ArrayBufferWriter<byte>();
        base.Write(unsorted, value);
        CborSorting.Write(unsorted.WrittenMemory, output);
    }

    private protected override ItemWriter CreateWriter() => new CborWriter(EmptyOutput.Instance);

    private protected override ItemReader CreateReader() => new CborReader(ReadOnlyMemory<byte>.Empty, Limits);

    private protected override int ReadArrayHead(ReadOnlySpan<byte> start, out long? count)
    {
        var input = new CborInput();
        input.Reset(start.ToArray(), Limits);
        for (var tags = 0; tags < MaxTags && (input.Initial() & 0xe0) == CborMajor.Tag; tags++) { input.ReadArgument(input.Initial()); }
        var initial = input.Initial();
        if ((initial & 0xe0) != CborMajor.Array) { throw input.Error($"Expected an array; found {CborMajor.NameOf(initial)}"); }
        if ((initial & 0x1f) == CborMajor.Indefinite)
        {
            count = null;
            return (int)input.Offset + 1;
        }
        var announced = input.ReadArgument(initial);
        count = announced <= long.MaxValue ? (long)announced : throw new CoapPayloadException($"The array has {announced} items (at byte 0).", 0);
        return (int)input.Offset;
    }
}
