using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace CoAP.Formats;

/// <summary>The bytes of a payload with a position, and the parts of CBOR that need no structure: heads, strings and simple values.</summary>
internal struct CborInput
{
    private static readonly byte[] SelfDescribed = [0xd9, 0xd9, 0xf7];

    private int _start;

    internal byte[] Data;
    internal int Position;
    internal int End;
    internal PayloadLimits Limits;

    /// <summary>Whether an error says that bytes are missing at the end.</summary>
    internal bool EndedEarly;

    internal readonly long Offset => Position - _start;

    internal readonly int Left => End - Position;

    /// <summary>Begins a payload. The tag that marks CBOR as such is ignored (RFC 8949, section 3.4.6).</summary>
    internal void Reset(ReadOnlyMemory<byte> payload, PayloadLimits limits)
    {
        if (!MemoryMarshal.TryGetArray(payload, out var segment)) { segment = new ArraySegment<byte>(payload.ToArray()); }
        Data = segment.Array!;
        Position = _start = segment.Offset;
        End = segment.Offset + segment.Count;
        Limits = limits;
        EndedEarly = false;
        if (payload.Length > 0 && payload.Span.StartsWith(SelfDescribed)) { Position += SelfDescribed.Length; }
    }

    /// <summary>Returns the initial byte of the next item without reading it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal byte Initial() => Position < End ? Data[Position] : throw Missing();

    /// <summary>Reads a head with an argument (RFC 8949, section 3). Heads that are longer than necessary are valid.</summary>
    internal ulong ReadArgument(byte initial)
    {
        var information = initial & 0x1f;
        if (information < 24)
        {
            Position++;
            return (ulong)information;
        }
        if (information > 27) { throw Reserved(initial); }
        var length = 1 << (information - 24);
        if (Left <= length) { throw CutOff($"The head of {CborMajor.NameOf(initial)} has {length + 1} bytes; {Left} are left"); }
        var bytes = Data.AsSpan(Position + 1, length);
        Position += 1 + length;
        return length switch
        {
            1 => bytes[0],
            2 => BinaryPrimitives.ReadUInt16BigEndian(bytes),
            4 => BinaryPrimitives.ReadUInt32BigEndian(bytes),
            _ => BinaryPrimitives.ReadUInt64BigEndian(bytes),
        };
    }

    /// <summary>Reads the head of an array or map with a count.</summary>
    /// <param name="initial">The initial byte.</param>
    /// <param name="itemsPerEntry">1 for an array, 2 for a map.</param>
    /// <param name="neededOutside">The number of bytes that the arrays and maps around it need. Without it, each level could announce as many items
    /// as there are bytes.</param>
    internal int ReadCount(byte initial, int itemsPerEntry, long neededOutside)
    {
        var at = Position;
        var count = ReadArgument(initial);
        if (count > (ulong)Limits.MaxCount)
        {
            Position = at;
            throw TooMany(itemsPerEntry, count);
        }
        var left = Math.Max(0, Left - neededOutside);
        if (count * (ulong)itemsPerEntry > (ulong)left)
        {
            Position = at;
            throw CutOff($"{NameOf(itemsPerEntry)} {count} {(itemsPerEntry == 1 ? "items" : "entries")}, but only {left} bytes are left for them");
        }
        return (int)count;
    }

    /// <summary>Reads a text or byte string. The bytes are valid until the payload changes.</summary>
    internal ReadOnlySpan<byte> ReadString(byte initial)
    {
        if ((initial & 0x1f) != CborMajor.Indefinite) { return ReadPart(initial); }
        Position++;
        byte[] whole = [];
        var length = 0;
        while (TryReadPart(initial, length, out var part))
        {
            if (length + part.Length > whole.Length) { Array.Resize(ref whole, Math.Max(length + part.Length, whole.Length * 2)); }
            part.CopyTo(whole.AsSpan(length));
            length += part.Length;
        }
        return whole.AsSpan(0, length);
    }

    /// <summary>Skips a text or byte string.</summary>
    internal void SkipString(byte initial)
    {
        if ((initial & 0x1f) != CborMajor.Indefinite)
        {
            ReadPart(initial);
            return;
        }
        Position++;
        for (var length = 0; TryReadPart(initial, length, out var part);) { length += part.Length; }
    }

    /// <summary>Reads a simple value or floating-point number without its meaning (RFC 8949, section 3.3).</summary>
    internal ulong ReadSimple(byte initial)
    {
        if (initial == CborMajor.Break) { throw Error("A break is out of place: it must end an array, map or string without announced length"); }
        var at = Position;
        var value = ReadArgument(initial);
        if (initial == CborMajor.SimpleInByte && value < 32)
        {
            Position = at;
            throw Error($"The simple value {value} has two bytes; values below 32 have one");
        }
        return value;
    }

    internal readonly CoapPayloadException Error(string message) => new($"{message} (at byte {Offset}).", Offset);

    internal CoapPayloadException CutOff(string message)
    {
        EndedEarly = true;
        return Error(message);
    }

    internal readonly CoapPayloadException TooMany(int itemsPerEntry, ulong count) => Error(
        $"{NameOf(itemsPerEntry)} {count} {(itemsPerEntry == 1 ? "items" : "entries")}; at most {Limits.MaxCount} are allowed");

    private static string NameOf(int itemsPerEntry) => itemsPerEntry == 1 ? "The array has" : "The map has";

    // Reads the next part of a string without announced length: parts have lengths and the type of the whole (RFC 8949, section 3.2.3).
    private bool TryReadPart(byte whole, int length, out ReadOnlySpan<byte> part)
    {
        part = default;
        var initial = Initial();
        if (initial == CborMajor.Break)
        {
            Position++;
            return false;
        }
        if ((initial & 0xe0) != (whole & 0xe0) || (initial & 0x1f) == CborMajor.Indefinite)
        {
            throw Error($"A part of {CborMajor.NameOf(whole)} is {CborMajor.NameOf(initial)}; parts must be of the same type and have a length");
        }
        part = ReadPart(initial);
        if (length > Limits.MaxLength - part.Length) { throw TooLong(whole, (ulong)length + (ulong)part.Length); }
        return true;
    }

    private ReadOnlySpan<byte> ReadPart(byte initial)
    {
        var at = Position;
        var length = ReadArgument(initial);
        if (length > (ulong)Left || length > (ulong)Limits.MaxLength)
        {
            var left = Left;
            Position = at;
            throw length > (ulong)Limits.MaxLength
                ? TooLong(initial, length)
                : CutOff($"The length of {CborMajor.NameOf(initial)} is {length} bytes; {left} are left");
        }
        var part = new ReadOnlySpan<byte>(Data, Position, (int)length);
        Position += (int)length;
        if ((initial & 0xe0) == CborMajor.Text && !Utf8.IsValid(part)) { throw NotUtf8(part); }
        return part;
    }

    private CoapPayloadException NotUtf8(ReadOnlySpan<byte> part)
    {
        Position += TextErrors.FindInvalid(part) - part.Length;
        return Error("The text is not valid UTF-8");
    }

    private readonly CoapPayloadException TooLong(byte initial, ulong length) =>
        Error($"The length of {CborMajor.NameOf(initial)} is {length} bytes; at most {Limits.MaxLength} are allowed");

    private CoapPayloadException Missing() => CutOff("The payload ends where an item is expected");

    private readonly CoapPayloadException Reserved(byte initial) => initial == CborMajor.Break
        ? Error("A break is out of place: it must end an array, map or string without announced length")
        : Error($"The initial byte is 0x{initial:x2}, which is reserved");
}
