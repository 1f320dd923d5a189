using System.Runtime.CompilerServices;

namespace CoAP.Options;

/// <summary>Reads the options of a message one after another without allocating objects (RFC 7252, section 3.1).</summary>
/// <remarks>A cursor on the stack: <see cref="Next"/> advances it; <see cref="Number"/> and <see cref="Value"/> are valid until the next call.</remarks>
public ref struct OptionReader
{
    private readonly ReadOnlySpan<byte> _bytes;
    private int _position;
    private int _number;
    private int _start;
    private FormatError _error;

    /// <summary>Creates a reader in front of the first option.</summary>
    /// <param name="bytes">The bytes from the first option on. A payload marker ends the options.</param>
    public OptionReader(ReadOnlySpan<byte> bytes) => _bytes = bytes;

    /// <summary>Continues after an option that was read before.</summary>
    internal OptionReader(ReadOnlySpan<byte> bytes, int position, int number)
    {
        _bytes = bytes;
        _position = _start = position;
        _number = number;
    }

    /// <summary>The number of the current option.</summary>
    public readonly int Number => _number;

    /// <summary>The value of the current option.</summary>
    public readonly ReadOnlySpan<byte> Value => _error == FormatError.None ? _bytes[_start.._position] : default;

    /// <summary>The error that made <see cref="Next"/> return <see langword="false"/>.</summary>
    public readonly FormatError Error => _error;

    /// <summary>The number of bytes read so far; after an error, the offset of the wrong option.</summary>
    public readonly int Position => _position;

    /// <summary>Advances to the next option. Returns <see langword="false"/> at the payload marker, at the end and at an error.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)] // keeps the cursor in registers
    public bool Next()
    {
        var position = _position;
        if ((uint)position >= (uint)_bytes.Length) { return false; }
        int head = _bytes[position], delta = head >> 4, length = head & 15, start = position + 1;
        if (delta >= OptionFormat.OneByte || length >= OptionFormat.OneByte)
        {
            if (head == OptionFormat.PayloadMarker || !ReadExtended(ref start, ref delta, ref length)) { return false; }
        }
        var number = _number + delta;
        if (number > OptionNumber.Max || length > _bytes.Length - start)
        {
            _error = number > OptionNumber.Max ? FormatError.OptionNumberTooLarge : FormatError.Truncated;
            return false;
        }
        _number = number;
        _start = start;
        _position = start + length;
        return true;
    }

    private bool ReadExtended(ref int start, ref int delta, ref int length)
    {
        _error = OptionFormat.ReadExtended(_bytes, ref start, ref delta);
        if (_error == FormatError.None) { _error = OptionFormat.ReadExtended(_bytes, ref start, ref length); }
        return _error == FormatError.None;
    }
}
