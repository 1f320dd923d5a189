using System.Buffers.Binary;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>The sender of a body: its endpoints, and its connection if there is one.</summary>
internal readonly record struct BodyPeer(ChannelKey Endpoints, object? Connection);

/// <summary>
/// The key of a block-wise operation of a peer: endpoints, method, and all options except those of the transfer and elective ones that are
/// not part of the cache key (RFC 7959, section 2.4; RFC 9175, section 3.3). Request-Tag is part of the key.
/// </summary>
internal readonly struct BodyKey : IEquatable<BodyKey>
{
    private const int TagLength = sizeof(ulong);
    private const int Head = 2 * sizeof(ushort);

    // The key is not secret: an ETag must be the same on all lanes and after a restart.
    private static readonly ContentHash Content = new(0x436F_4150_2E4E_4554);

    private readonly CoapCode _method;
    private readonly byte[] _options;

    public BodyKey(in BodyPeer peer, CoapCode method, in OptionSet options) =>
        (Peer, _method, _options, IsForNew) = (peer, method, Write(options), options.Contains<IfNoneMatch>());

    public BodyPeer Peer { get; }

    /// <summary>Whether the request has If-None-Match. It is not part of the key, because only the first block may have it (RFC 7959, section 2.10).</summary>
    public bool IsForNew { get; }

    /// <summary>The number of bytes of its options.</summary>
    public int Length => _options.Length;

    public bool Equals(BodyKey other) => _method == other._method && Peer == other.Peer && _options.AsSpan().SequenceEqual(other._options);

    public override bool Equals(object? obj) => obj is BodyKey other && Equals(other);

    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.Add(Peer);
        hash.Add(_method);
        hash.AddBytes(_options);
        return hash.ToHashCode();
    }

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

    private static byte[] Write(in OptionSet options)
    {
        var bytes = new byte[SizeOf(options)];
        var rest = bytes.AsSpan();
        for (var reader = options.Read(); reader.Next();)
        {
            if (!IsKey(reader.Number)) { continue; }
            BinaryPrimitives.WriteUInt16LittleEndian(rest, (ushort)reader.Number);
            BinaryPrimitives.WriteUInt16LittleEndian(rest[sizeof(ushort)..], (ushort)reader.Value.Length);
            reader.Value.CopyTo(rest[Head..]);
            rest = rest[(Head + reader.Value.Length)..];
        }
        return bytes;
    }

    private static int SizeOf(in OptionSet options)
    {
        var size = 0;
        for (var reader = options.Read(); reader.Next();)
        {
            if (IsKey(reader.Number)) { size += Head + reader.Value.Length; }
        }
        return size;
    }

    // A request for the rest of a notification does not have Observe (RFC 7959, section 2.6).
    private static bool IsKey(int number)
    {
        if (number == Block1.Declaration.Number || number == Block2.Declaration.Number) { return false; }
        if (number == Observe.Declaration.Number || number == IfNoneMatch.Declaration.Number) { return false; }
        if (number == QBlock1.Declaration.Number || number == QBlock2.Declaration.Number) { return false; }
        return OptionNumber.IsCritical(number) || !OptionNumber.IsNoCacheKey(number);
    }
}
