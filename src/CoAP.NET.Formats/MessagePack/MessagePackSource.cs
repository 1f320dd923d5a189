using System.Buffers.Binary;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>The bytes of a payload, and the place of the next item.</summary>
internal struct MessagePackSource
{
    private const int BitsOfByte = 8, BitsOfLong = 64;

    private readonly byte[] _bytes;
    private readonly int _start, _end;

    /// <summary>The index of the next item.</summary>
    internal int At;

    internal MessagePackSource(ReadOnlyMemory<byte> payload)
    {
        if (!MemoryMarshal.TryGetArray(payload, out var segment)) { segment = new ArraySegment<byte>(payload.ToArray()); }
        (_bytes, _start, _end) = (segment.Array!, segment.Offset, segment.Offset + segment.Count);
        At = _start;
    }

    /// <summary>Whether an exception said that the payload ends too early.</summary>
    internal bool EndedEarly { get; private set; }

    internal readonly int Offset => At - _start;

    internal readonly int Left => _end - At;

    internal readonly bool IsAtEnd => At == _end;

    /// <summary>The first byte of the next item, if there is one.</summary>
    internal readonly byte First => _bytes[At];

    internal readonly ReadOnlySpan<byte> Rest => _bytes.AsSpan(At, Left);

    /// <summary>Returns the big-endian number after the first byte.</summary>
    internal ulong Number(int size)
    {
        var at = At + 1;
        if (_end - at >= sizeof(ulong)) { return BinaryPrimitives.ReadUInt64BigEndian(_bytes.AsSpan(at)) >> (BitsOfLong - (BitsOfByte * size)); }
        if (_end - at < size) { throw CutOff($"The item needs {1 + size} bytes or more, but only {Left} are left"); }
        var value = 0ul;
        foreach (var one in _bytes.AsSpan(at, size)) { value = (value << BitsOfByte) | one; }
        return value;
    }

    /// <summary>Returns the integer after the first byte. A signed one is extended to 64 bits.</summary>
    internal ulong WideInteger(byte first, out int size)
    {
        if (first is < MessagePackByte.UInt8 or > MessagePackByte.Int64) { throw Unexpected(ItemKind.Integer); }
        size = MessagePackKinds.SizeOf(first);
        var value = Number(size);
        var unused = BitsOfLong - (BitsOfByte * size);
        return first < MessagePackByte.Int8 ? value : (ulong)((long)(value << unused) >> unused);
    }

    /// <summary>Returns the count or length that the next item begins with.</summary>
    internal long Count(byte first)
    {
        var size = MessagePackKinds.SizeOf(first);
        return size > 0 ? (long)Number(size) : MessagePackKinds.FixCountOf(first);
    }

    /// <summary>Returns the content of a text, faster than <see cref="Data"/> if it is short.</summary>
    internal ReadOnlySpan<byte> Text(int maxLength, out int length)
    {
        var count = First - MessagePackByte.FixText;
        if (count is < 0 or > MessagePackByte.MaxFixText || count >= Left || count > maxLength) { return Data(ItemKind.Text, maxLength, out length); }
        length = 1 + count;
        return _bytes.AsSpan(At + 1, count);
    }

    /// <summary>Returns the content of a text, of bytes or of an extension.</summary>
    /// <param name="kind">What the next item must be. <see cref="ItemKind.Tagged"/> stands for each extension.</param>
    /// <param name="maxLength">The largest number of bytes.</param>
    /// <param name="length">The length of the whole item, in bytes.</param>
    internal ReadOnlySpan<byte> Data(ItemKind kind, int maxLength, out int length)
    {
        var first = First;
        if (MessagePackKinds.Of(first) != kind) { throw Unexpected(kind); }
        var count = Count(first);
        if (count > maxLength) { throw Error($"The {MessagePackKinds.NameOf(kind)} has {count} bytes; at most {maxLength} are allowed"); }
        var head = kind is ItemKind.Tagged ? HeadOfExtension(first) : 1 + MessagePackKinds.SizeOf(first);
        if (count > Left - head)
        {
            throw CutOff($"The {MessagePackKinds.NameOf(kind)} has {count} bytes, but only {Math.Max(0, Left - head)} are left");
        }
        length = head + (int)count;
        return _bytes.AsSpan(At + head, (int)count);
    }

    /// <summary>Returns the type of an extension: the last byte of its head.</summary>
    internal sbyte TypeOfExtension()
    {
        var head = HeadOfExtension(First);
        return head <= Left ? (sbyte)_bytes[At + head - 1] : throw CutOff($"The extension needs {head} bytes or more, but only {Left} are left");
    }

    /// <summary>Returns the kind of the next item.</summary>
    internal ItemKind Peek()
    {
        var kind = MessagePackKinds.Of(First);
        if (kind is ItemKind.End) { throw Error($"The byte 0x{First:x2} is never used in MessagePack"); }
        return kind is ItemKind.Tagged && TypeOfExtension() == MessagePackTimestamp.Type ? ItemKind.Timestamp : kind;
    }

    internal readonly CoapPayloadException Error(string message) => new($"{message} (at byte {Offset}).", Offset);

    /// <summary>Creates the exception for a payload that ends inside of an item.</summary>
    internal CoapPayloadException CutOff(string message)
    {
        EndedEarly = true;
        return Error(message);
    }

    internal CoapPayloadException Unexpected(ItemKind expected) =>
        Error($"Expected {MessagePackKinds.Describe(expected)}; found {MessagePackKinds.Describe(Peek())}");

    internal readonly CoapPayloadException InvalidUtf8(ReadOnlySpan<byte> text, int length)
    {
        var offset = Offset + length - text.Length + ItemTexts.FindInvalid(text);
        return new CoapPayloadException($"The text is not valid UTF-8 (at byte {offset}).", offset);
    }

    private static int HeadOfExtension(byte first) => 1 + MessagePackKinds.SizeOf(first) + sizeof(sbyte);
}
