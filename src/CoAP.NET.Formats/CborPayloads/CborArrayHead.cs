namespace CoAP.Formats;

/// <summary>Reads the start of a large array.</summary>
internal static class CborArrayHead
{
    /// <summary>The number of bytes that are enough, tags included.</summary>
    internal const int Longest = 64;

    private const int MaxTags = 8;

    /// <summary>Reads the head of an array from the start of a stream of which only the first bytes have arrived.</summary>
    /// <param name="start">The first bytes of the stream: at least <see cref="Longest"/>, unless the stream is shorter.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="count">
    /// The number of items, or <see langword="null"/> if a break ends the array. Not bounded by the bytes that have arrived.
    /// </param>
    /// <returns>The length of the head, in bytes.</returns>
    /// <exception cref="CoapPayloadException">The stream does not start with an array.</exception>
    internal static int Read(ReadOnlySpan<byte> start, PayloadLimits limits, out long? count)
    {
        var input = new CborInput();
        input.Reset(start.ToArray(), limits);
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
