using System.Buffers.Binary;

namespace CoAP.Options;

/// <summary>The parts of a request that decide whether another request asks for the same: a start, some of its options, and its payload.</summary>
/// <remarks>Whole values are compared, so that an attacker cannot construct two requests with the same key.</remarks>
internal readonly record struct OptionKey : ISeededKey
{
    private const int Head = sizeof(ushort) + sizeof(int);

    private readonly byte[] _bytes;
    private readonly int _hash;

    /// <param name="start">Anything that is not an option, such as the method.</param>
    /// <param name="options">All options.</param>
    /// <param name="isKey">Selects options by their number.</param>
    /// <param name="payload">The payload or its hash; empty if it is not part of the key.</param>
    public OptionKey(ReadOnlySpan<byte> start, in OptionSet options, Func<int, bool> isKey, ReadOnlySpan<byte> payload = default)
    {
        var size = 2 * Head + start.Length + payload.Length;
        for (var reader = options.Read(); reader.Next();) { size += isKey(reader.Number) ? Head + reader.Value.Length : 0; }
        _bytes = new byte[size];
        var rest = Append(_bytes, 0, start);
        for (var reader = options.Read(); reader.Next();)
        {
            if (isKey(reader.Number)) { rest = Append(rest, reader.Number, reader.Value); }
        }
        Append(rest, 0, payload);
        _hash = SeededHash.Of(_bytes);
    }

    /// <summary>The number of bytes of the key.</summary>
    public int Length => _bytes.Length;

    public bool Equals(OptionKey other) => _hash == other._hash && _bytes.AsSpan().SequenceEqual(other._bytes);

    public override int GetHashCode() => _hash;

    private static Span<byte> Append(Span<byte> bytes, int number, ReadOnlySpan<byte> value)
    {
        BinaryPrimitives.WriteUInt16LittleEndian(bytes, (ushort)number);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[sizeof(ushort)..], value.Length);
        value.CopyTo(bytes[Head..]);
        return bytes[(Head + value.Length)..];
    }
}
