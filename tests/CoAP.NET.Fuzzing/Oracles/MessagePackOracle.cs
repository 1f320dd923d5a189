using System.Buffers.Binary;

namespace CoAP.Fuzzing.Oracles;

/// <summary>Finds the end of a MessagePack object as the table of formats in its specification says. Without a line of the library.</summary>
internal ref struct MessagePackOracle
{
    private ReadOnlySpan<byte> _rest;

    private MessagePackOracle(ReadOnlySpan<byte> bytes) => _rest = bytes;

    /// <summary>The number of arrays and maps inside one another.</summary>
    public int Depth { get; private set; }

    /// <summary>Reads the only object in the bytes. Returns false where they are not exactly one object.</summary>
    public static bool TryRead(ReadOnlySpan<byte> bytes, out MessagePackOracle oracle)
    {
        oracle = new MessagePackOracle(bytes);
        return oracle.Walk() && oracle._rest.IsEmpty;
    }

    // The numbers of objects that are still to come, of the innermost array or map first: no input makes it recurse.
    private bool Walk()
    {
        var open = new Stack<long>([1]);
        while (open.TryPop(out var left))
        {
            if (left == 0) { continue; }
            open.Push(left - 1);
            if (!TryItem(out var inner)) { return false; }
            if (inner is not { } count) { continue; }
            open.Push(count);
            Depth = Math.Max(Depth, open.Count - 1);
        }
        return true;
    }

    private bool TryItem(out long? inner)
    {
        inner = null;
        if (_rest.IsEmpty) { return false; }
        var first = _rest[0];
        _rest = _rest[1..];
        switch (first)
        {
            case <= 0x7F or >= 0xE0 or 0xC0 or 0xC2 or 0xC3: return true;           // fixint, nil, false, true
            case <= 0x8F: return Set(out inner, 2L * (first & 15));                 // fixmap
            case <= 0x9F: return Set(out inner, first & 15);                        // fixarray
            case <= 0xBF: return TrySkip(first & 31);                               // fixstr
            case 0xC1: return false;                                                // never used
            case 0xC4: return TryLength(1, out var bin8) && TrySkip(bin8);
            case 0xC5: return TryLength(2, out var bin16) && TrySkip(bin16);
            case 0xC6: return TryLength(4, out var bin32) && TrySkip(bin32);
            case 0xC7: return TryLength(1, out var ext8) && TrySkip(ext8 + 1);      // ext 8: a type before the data
            case 0xC8: return TryLength(2, out var ext16) && TrySkip(ext16 + 1);
            case 0xC9: return TryLength(4, out var ext32) && TrySkip(ext32 + 1);
            case 0xCA or 0xCE or 0xD2: return TrySkip(4);                           // float 32, uint 32, int 32
            case 0xCB or 0xCF or 0xD3: return TrySkip(8);
            case 0xCC or 0xD0: return TrySkip(1);
            case 0xCD or 0xD1: return TrySkip(2);
            case <= 0xD8: return TrySkip(1 + (1 << (first - 0xD4)));                // fixext 1 to 16
            case 0xD9: return TryLength(1, out var str8) && TrySkip(str8);
            case 0xDA: return TryLength(2, out var str16) && TrySkip(str16);
            case 0xDB: return TryLength(4, out var str32) && TrySkip(str32);
            case 0xDC: return TryLength(2, out var items16) && Set(out inner, items16);
            case 0xDD: return TryLength(4, out var items32) && Set(out inner, items32);
            case 0xDE: return TryLength(2, out var pairs16) && Set(out inner, 2 * pairs16);
            default: return TryLength(4, out var pairs32) && Set(out inner, 2 * pairs32);
        }
    }

    private static bool Set(out long? inner, long count)
    {
        inner = count;
        return true;
    }

    private bool TryLength(int size, out long length)
    {
        length = 0;
        if (_rest.Length < size) { return false; }
        length = size switch { 1 => _rest[0], 2 => BinaryPrimitives.ReadUInt16BigEndian(_rest), _ => BinaryPrimitives.ReadUInt32BigEndian(_rest) };
        _rest = _rest[size..];
        return true;
    }

    private bool TrySkip(long count)
    {
        if (_rest.Length < count) { return false; }
        _rest = _rest[(int)count..];
        return true;
    }
}
