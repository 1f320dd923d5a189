using System.Buffers.Binary;

namespace CoAP;

/// <summary>The value that matches a response to its request: 0 to 8 bytes (RFC 7252, section 5.3.1), or up to 65,804 if both sides agree (RFC 8974).</summary>
/// <remarks>Up to 8 bytes are stored inline; longer tokens have an array.</remarks>
public readonly record struct Token : ISeededKey
{
    /// <summary>The length of the longest token in bytes (RFC 8974, section 2.1).</summary>
    public const int MaxLength = 65_804;

    internal const int InlineLength = 8;

    private readonly byte[]? _extended;
    private readonly ulong _inline;     // the first eight bytes in wire order, starting at the least significant one; the rest is zero
    private readonly byte _length;

    /// <summary>Creates a token from a copy of the bytes.</summary>
    /// <exception cref="ArgumentException">There are more than 65,804 bytes.</exception>
    public Token(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= InlineLength)
        {
            _inline = ReadInline(bytes);
            _length = (byte)bytes.Length;
            return;
        }
        if (bytes.Length > MaxLength)
        {
            throw new ArgumentException($"The token has {bytes.Length} bytes; at most {MaxLength} are allowed (RFC 8974, section 2.1).", nameof(bytes));
        }
        _extended = bytes.ToArray();
        _inline = ReadInline(bytes[..InlineLength]);
    }

    internal Token(ulong inline, int length)
    {
        _inline = inline;
        _length = (byte)length;
    }

    /// <summary>The token without bytes.</summary>
    public static Token Empty => default;

    /// <summary>The length in bytes.</summary>
    public int Length => _extended is null ? _length : _extended.Length;

    /// <summary>Whether the token has no bytes.</summary>
    public bool IsEmpty => Length == 0;

    /// <summary>The first eight bytes, for tables whose keys are tokens that this library created.</summary>
    internal ulong Inline => _inline;

    /// <summary>Copies the bytes to the start of <paramref name="destination"/> and returns their number.</summary>
    /// <exception cref="ArgumentException">The destination is too short.</exception>
    public int CopyTo(Span<byte> destination)
    {
        if (_extended is not null)
        {
            _extended.CopyTo(destination);
            return _extended.Length;
        }
        if (destination.Length >= InlineLength)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(destination, _inline);
            return _length;
        }
        Span<byte> bytes = stackalloc byte[InlineLength];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, _inline);
        bytes[.._length].CopyTo(destination);
        return _length;
    }

    /// <summary>Returns a copy of the bytes.</summary>
    public byte[] ToArray()
    {
        var bytes = new byte[Length];
        CopyTo(bytes);
        return bytes;
    }

    /// <inheritdoc/>
    public bool Equals(Token other) =>
        _extended is null
            ? other._extended is null && _inline == other._inline && _length == other._length
            : other._extended is not null && _extended.AsSpan().SequenceEqual(other._extended);

    /// <inheritdoc/>
    public override int GetHashCode() => _extended is null ? SeededHash.Of(_inline, _length) : SeededHash.Of(_extended);

    /// <summary>Returns the bytes in hexadecimal.</summary>
    public override string ToString() => Convert.ToHexString(ToArray());

    /// <summary>Reads up to eight bytes as one number in the layout of <see cref="Inline"/>.</summary>
    internal static ulong ReadInline(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length == InlineLength) { return BinaryPrimitives.ReadUInt64LittleEndian(bytes); }
        if (bytes.Length >= sizeof(uint))
        {
            // Both halves overlap if there are fewer than eight bytes; the overlapping bits are equal.
            ulong last = BinaryPrimitives.ReadUInt32LittleEndian(bytes[^sizeof(uint)..]);
            return BinaryPrimitives.ReadUInt32LittleEndian(bytes) | (last << (8 * (bytes.Length - sizeof(uint))));
        }
        var value = 0UL;
        for (var i = bytes.Length - 1; i >= 0; i--) { value = (value << 8) | bytes[i]; }
        return value;
    }
}
