using System.Buffers;
using System.Buffers.Binary;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>
/// Identifies the representation that a request gets: method, cache key (RFC 7252, section 5.6) and the payload of a FETCH (RFC 8132, section 2.2).
/// </summary>
/// <remarks>Leaves out Observe, which all the requests have, and Block2, which selects a part of the representation and not another one.</remarks>
internal sealed class RepresentationKey : IEquatable<RepresentationKey>
{
    private static readonly int[] LeftOut = [Observe.Declaration.Number, Block2.Declaration.Number];

    private readonly byte[] _bytes;
    private readonly PeerIdentity _peer;
    private readonly int _hash;

    /// <param name="request">The request.</param>
    /// <param name="isPerPeer">Whether each peer has its own representation.</param>
    public RepresentationKey(IncomingRequest request, bool isPerPeer)
    {
        _bytes = Write(request);
        _peer = isPerPeer || request.Credentials is not null ? request.Peer : default;
        var hash = new HashCode();
        hash.AddBytes(_bytes);
        hash.Add(_peer);
        _hash = hash.ToHashCode();
    }

    public bool Equals(RepresentationKey? other) =>
        other is not null && _hash == other._hash && _peer == other._peer && _bytes.AsSpan().SequenceEqual(other._bytes);

    public override bool Equals(object? obj) => Equals(obj as RepresentationKey);

    public override int GetHashCode() => _hash;

    private static byte[] Write(IncomingRequest request)
    {
        var writer = new ArrayBufferWriter<byte>();
        writer.GetSpan(1)[0] = request.Method.Value;
        writer.Advance(1);
        for (var reader = request.Options.Read(); reader.Next();)
        {
            if (OptionNumber.IsNoCacheKey(reader.Number) || LeftOut.Contains(reader.Number)) { continue; }
            var head = writer.GetSpan(2 * sizeof(ushort));
            BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)reader.Number);
            BinaryPrimitives.WriteUInt16BigEndian(head[sizeof(ushort)..], (ushort)reader.Value.Length);
            writer.Advance(2 * sizeof(ushort));
            writer.Write(reader.Value);
        }
        writer.Write("\0\0"u8);
        writer.Write(request.Payload.Span);
        return writer.WrittenSpan.ToArray();
    }
}
