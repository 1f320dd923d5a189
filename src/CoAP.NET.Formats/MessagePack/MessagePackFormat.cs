namespace CoAP.Formats;

/// <summary>MessagePack (https://msgpack.org) for the types that have a contract.</summary>
/// <remarks>
/// <para>No Content-Format is registered for MessagePack. Both endpoints must use the same identifier: 65,100 by default, from the range for
/// experiments (RFC 7252, section 12.3).</para>
/// <para>Immutable. Safe for concurrent use.</para>
/// </remarks>
/// <param name="contracts">The contracts of the types that the format converts.</param>
/// <param name="limits">The bounds of what a received payload may cost. Default: <see cref="PayloadLimits.Default"/>.</param>
/// <param name="contentFormat">The identifier of the format. 65,000 to 65,535 are free for experiments.</param>
/// <exception cref="ArgumentOutOfRangeException">The identifier is greater than 65,535.</exception>
public sealed class MessagePackFormat(
    PayloadContracts contracts, PayloadLimits? limits = null, uint contentFormat = MessagePackFormat.DefaultContentFormat)
    : ItemFormat(contracts, limits, contentFormat, "MessagePack")
{
    /// <summary>The identifier that is used by default: 65,100. It is not registered.</summary>
    public const uint DefaultContentFormat = 65_100;

    private protected override ItemWriter CreateWriter() => new MessagePackWriter(EmptyOutput.Instance);

    private protected override ItemReader CreateReader() => new MessagePackReader(ReadOnlyMemory<byte>.Empty, Limits);

    private protected override int ReadArrayHead(ReadOnlySpan<byte> start, out long? count)
    {
        var source = new MessagePackSource(start.ToArray());
        if (source.IsAtEnd) { throw source.CutOff("The payload ends where an array is expected"); }
        if (MessagePackKinds.Of(source.First) is not ItemKind.Array) { throw source.Unexpected(ItemKind.Array); }
        count = source.Count(source.First);
        return 1 + MessagePackKinds.SizeOf(source.First);
    }
}
