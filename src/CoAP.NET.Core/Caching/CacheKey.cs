using System.Buffers;
using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;
using CoAP.Options;

namespace CoAP.Caching;

/// <summary>The bytes that must be equal for a stored response to be reused: a resource, or one form of request to it (RFC 7252, section 5.6).</summary>
/// <remarks>
/// Whole values are compared, so that an attacker cannot construct two requests with the same key. The payload of a FETCH is part of the key as its
/// SHA-256 (RFC 8132, section 2).
/// </remarks>
internal sealed class CacheKey : IEquatable<CacheKey>
{
    private readonly byte[] _bytes;
    private readonly int _hash;

    private CacheKey(ReadOnlySpan<byte> bytes)
    {
        _bytes = bytes.ToArray();
        var hash = new HashCode();
        hash.AddBytes(_bytes);
        _hash = hash.ToHashCode();
    }

    public int Length => _bytes.Length;

    /// <summary>Returns the key of a resource: its origin and the options of its URI.</summary>
    /// <param name="origin">Scheme, host and port.</param>
    /// <param name="options">All options of the request.</param>
    public static CacheKey OfResource(string origin, in OptionSet options)
    {
        var bytes = Begin(origin);
        for (var reader = options.Read(); reader.Next();)
        {
            if (IsUri(reader.Number)) { Append(bytes, reader.Number, reader.Value); }
        }
        return new(bytes.WrittenSpan);
    }

    /// <summary>Returns the key of the resource in Location-Path and Location-Query, relative to the request (RFC 7252, section 5.10.7).</summary>
    public static CacheKey OfLocation(string origin, in OptionSet request, in OptionSet response)
    {
        var bytes = Begin(origin);
        Append(bytes, request, UriHost.Declaration.Number, UriHost.Declaration.Number);
        Append(bytes, request, UriPort.Declaration.Number, UriPort.Declaration.Number);
        Append(bytes, response, LocationPath.Declaration.Number, UriPath.Declaration.Number);
        Append(bytes, response, LocationQuery.Declaration.Number, UriQuery.Declaration.Number);
        return new(bytes.WrittenSpan);
    }

    /// <summary>Returns the key of a request to the resource.</summary>
    public CacheKey WithRequest(CoapCode method, in OptionSet options, ReadOnlySpan<byte> payload)
    {
        var bytes = new ArrayBufferWriter<byte>(_bytes.Length + 64);
        BinaryPrimitives.WriteInt32BigEndian(bytes.GetSpan(4), _bytes.Length);
        bytes.Advance(4);
        bytes.Write(_bytes);
        bytes.Write([method.Value]);
        for (var reader = options.Read(); reader.Next();)
        {
            var isKey = !IsUri(reader.Number) && !IsInterpreted(reader.Number) && !OptionNumber.IsNoCacheKey(reader.Number);
            if (isKey) { Append(bytes, reader.Number, reader.Value); }
        }
        if (!payload.IsEmpty) { SHA256.HashData(payload, bytes.GetSpan(SHA256.HashSizeInBytes)); bytes.Advance(SHA256.HashSizeInBytes); }
        return new(bytes.WrittenSpan);
    }

    public bool Equals(CacheKey? other) => other is not null && _hash == other._hash && _bytes.AsSpan().SequenceEqual(other._bytes);

    public override bool Equals(object? obj) => Equals(obj as CacheKey);

    public override int GetHashCode() => _hash;

    private static bool IsUri(int number) => number is 3 or 7 or 11 or 15 or 35 or 39;

    // The cache itself uses ETag. Observe and the options of block-wise transfers do not change what is requested.
    private static bool IsInterpreted(int number) =>
        number == ETag.Declaration.Number || number == Observe.Declaration.Number || number == Block1.Declaration.Number || number == Block2.Declaration.Number
        || number == QBlock1.Declaration.Number || number == QBlock2.Declaration.Number;

    private static ArrayBufferWriter<byte> Begin(string origin)
    {
        var bytes = new ArrayBufferWriter<byte>(64);
        Append(bytes, 0, Encoding.UTF8.GetBytes(origin));
        return bytes;
    }

    private static void Append(ArrayBufferWriter<byte> bytes, in OptionSet options, int number, int writtenAs)
    {
        for (var reader = options.Read(); reader.Next();)
        {
            if (reader.Number == number) { Append(bytes, writtenAs, reader.Value); }
        }
    }

    private static void Append(ArrayBufferWriter<byte> bytes, int number, ReadOnlySpan<byte> value)
    {
        var head = bytes.GetSpan(6);
        BinaryPrimitives.WriteUInt16BigEndian(head, (ushort)number);
        BinaryPrimitives.WriteInt32BigEndian(head[2..], value.Length);
        bytes.Advance(6);
        bytes.Write(value);
    }
}
