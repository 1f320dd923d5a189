using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The sender of a body: its endpoints, and its connection if there is one.</summary>
internal readonly record struct BodyPeer(ChannelKey Endpoints, object? Connection) : ISeededKey
{
    public override int GetHashCode() => SeededHash.Combine(Endpoints.GetHashCode(), RuntimeHelpers.GetHashCode(Connection));
}

/// <summary>
/// The key of a block-wise operation of a peer: endpoints, method, and all options except those of the transfer and elective ones that are
/// not part of the cache key (RFC 7959, section 2.4; RFC 9175, section 3.3). Request-Tag is part of the key.
/// </summary>
/// <param name="Peer">The sender of the body.</param>
/// <param name="Operation">The method and the options.</param>
/// <param name="IsForNew">Whether the request has If-None-Match. Not compared, because only the first block may have it (RFC 7959, section 2.10).</param>
internal readonly record struct BodyKey(BodyPeer Peer, OptionKey Operation, bool IsForNew) : ISeededKey
{
    /// <summary>The account that is charged for the body. Not compared, because a peer can prove its address during a transfer.</summary>
    public Account Account { get; init; }

    /// <summary>
    /// The key of the credentials of the sender; <see langword="null"/> if it has none. Those who share an address do not share bodies.
    /// </summary>
    public object? Identity { get; init; }

    private const int TagLength = sizeof(ulong);

    // The key is not secret: an ETag must be the same on all lanes and after a restart.
    private static readonly ContentHash Content = new(0x436F_4150_2E4E_4554);

    // A request for the rest of a notification does not have Observe (RFC 7959, section 2.6).
    private static readonly ulong LeftOut =
        BlockOption.Bits | OptionNumber.SeenBit(Observe.Declaration.Number) | OptionNumber.SeenBit(IfNoneMatch.Declaration.Number);

    public BodyKey(in BodyPeer peer, CoapCode method, in OptionSet options)
        : this(peer, new OptionKey([method.Value], options, IsKey), options.Contains<IfNoneMatch>())
    {
    }

    public bool Equals(BodyKey other) => Peer == other.Peer && Operation.Equals(other.Operation) && Equals(Identity, other.Identity);

    public override int GetHashCode() => SeededHash.Combine(Peer.GetHashCode(), Operation.GetHashCode());

    /// <summary>Returns the hash of a body. The body of a FETCH request is part of the cache key (RFC 8132, section 2).</summary>
    public static ulong HashOf(ReadOnlySpan<byte> body) => Content.Of(body);

    /// <summary>Returns the entity tag of a representation. Another format makes another representation (RFC 9175, section 3.8).</summary>
    public static ETag TagOf(ReadOnlySpan<byte> body, uint? contentFormat)
    {
        Span<byte> head = stackalloc byte[TagLength];
        BinaryPrimitives.WriteInt64LittleEndian(head, contentFormat ?? -1L);
        var tag = new byte[TagLength];
        BinaryPrimitives.WriteUInt64LittleEndian(tag, HashOf(body) ^ HashOf(head));
        return new ETag(tag);
    }

    private static bool IsKey(int number) =>
        !OptionNumber.IsIn(LeftOut, number) && (OptionNumber.IsCritical(number) || !OptionNumber.IsNoCacheKey(number));
}
