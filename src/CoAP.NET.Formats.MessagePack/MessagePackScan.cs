using System.Runtime.CompilerServices;
using Nerdbank.MessagePack;

namespace CoAP.Formats;

/// <summary>
/// Finds the end of a value and checks its depth, its longest text and its largest array or map, before Nerdbank.MessagePack sees it. Without recursion.
/// If the bytes end inside of the value, a later call with more of them continues at the same place.
/// </summary>
internal struct MessagePackScan
{
    /// <summary>The largest number of arrays and maps inside one another, whatever the limits say.</summary>
    /// <remarks>
    /// When a converter of Nerdbank.MessagePack fails, each level catches the exception and throws another one. Together they take about 16 KiB of
    /// stack for each level: with 64 levels, a wrong payload would end the process if the thread has a stack of 1 MiB.
    /// </remarks>
    public const int MostLevels = 32;

    // An empty list or an object with a few fields, and its place in another one.
    private const int BytesOfCollection = 64;

    private Levels _pending;        // the items that must follow in each array and map
    private int _level;
    private bool _hasBegun;
    private long _collections;

    /// <summary>The number of bytes that have been scanned. When the scan has finished, this is the length of the value.</summary>
    public int Length { get; private set; }

    /// <summary>Scans the bytes of a value. Returns whether they contain its end.</summary>
    /// <param name="bytes">All bytes of the value that are known, from its start.</param>
    /// <param name="limits">The limits.</param>
    /// <param name="origin">The offset of the value, for error messages.</param>
    /// <exception cref="CoapPayloadException">A limit is exceeded.</exception>
    public bool TryFinish(ReadOnlySpan<byte> bytes, PayloadLimits limits, long origin)
    {
        while (!_hasBegun || _level > 0)
        {
            if (!TryReadHead(bytes[Length..], out var type, out var size, out var count)) { return false; }
            var offset = origin + Length;
            if (type is MessagePackType.Unknown) { throw NeverUsed(bytes[Length], offset); }
            if (type is MessagePackType.Array or MessagePackType.Map) { CheckCount(count, limits, offset); }
            else { CheckLength(count, limits, offset); }
            var length = type is MessagePackType.Array or MessagePackType.Map ? size : (long)size + count;
            if (length > bytes.Length - Length) { return false; }
            Length += (int)length;
            _hasBegun = true;
            if (_level > 0) { _pending[_level - 1]--; }
            if (type is MessagePackType.Array or MessagePackType.Map)
            {
                if (_level == Math.Min(limits.MaxDepth, MostLevels)) { throw TooDeep(_level, offset); }
                if (++_collections * BytesOfCollection > limits.MaxMemory) { throw TooMuchMemory(limits, offset); }
                _pending[_level++] = type is MessagePackType.Map ? 2L * count : count;
            }
            while (_level > 0 && _pending[_level - 1] == 0) { _level--; }
        }
        return true;
    }

    /// <summary>Reads the first bytes of an item.</summary>
    /// <param name="bytes">The item.</param>
    /// <param name="type">Its type.</param>
    /// <param name="size">The bytes of the head; of a number, all of its bytes.</param>
    /// <param name="count">The items, entries or bytes that follow.</param>
    private static bool TryReadHead(ReadOnlySpan<byte> bytes, out MessagePackType type, out int size, out uint count)
    {
        (type, size, count) = (MessagePackType.Nil, 1, 0);
        if (bytes.IsEmpty) { return false; }
        type = MessagePackCode.ToMessagePackType(bytes[0]);
        var result = MessagePackPrimitives.DecodeResult.Success;
        switch (type)
        {
            case MessagePackType.Array: result = MessagePackPrimitives.TryReadArrayHeader(bytes, out count, out size); break;
            case MessagePackType.Map: result = MessagePackPrimitives.TryReadMapHeader(bytes, out count, out size); break;
            case MessagePackType.String: result = MessagePackPrimitives.TryReadStringHeader(bytes, out count, out size); break;
            case MessagePackType.Binary: result = MessagePackPrimitives.TryReadBinHeader(bytes, out count, out size); break;
            case MessagePackType.Extension:
                result = MessagePackPrimitives.TryReadExtensionHeader(bytes, out var header, out size);
                count = header.Length;
                break;
            default: size = 1 + SizeOf(bytes[0]); break;
        }
        return result is MessagePackPrimitives.DecodeResult.Success;
    }

    // The size of the number after the first byte.
    private static int SizeOf(byte code) => code switch
    {
        MessagePackCode.UInt8 or MessagePackCode.Int8 => sizeof(byte),
        MessagePackCode.UInt16 or MessagePackCode.Int16 => sizeof(ushort),
        MessagePackCode.UInt32 or MessagePackCode.Int32 or MessagePackCode.Float32 => sizeof(uint),
        MessagePackCode.UInt64 or MessagePackCode.Int64 or MessagePackCode.Float64 => sizeof(ulong),
        _ => 0,
    };

    private static void CheckCount(uint count, PayloadLimits limits, long offset)
    {
        if (count > limits.MaxCount)
        {
            throw new CoapPayloadException(
                $"An array or map has {count} items; at most {limits.MaxCount} are allowed (at byte {offset}).", offset);
        }
    }

    private static void CheckLength(uint length, PayloadLimits limits, long offset)
    {
        if (length > limits.MaxLength)
        {
            throw new CoapPayloadException(
                $"A text or byte string has {length} bytes; at most {limits.MaxLength} are allowed (at byte {offset}).", offset);
        }
    }

    private static CoapPayloadException NeverUsed(byte code, long offset) => new($"The byte 0x{code:x2} is never used in MessagePack (at byte {offset}).", offset);

    private static CoapPayloadException TooMuchMemory(PayloadLimits limits, long offset) => new(
        $"The value takes too much memory; at most {limits.MaxMemory} bytes are allowed (at byte {offset}).",
        offset);

    private static CoapPayloadException TooDeep(int most, long offset) => new(
        $"{most + 1} arrays and maps are inside one another; at most {most} are allowed (at byte {offset}).", offset);

    [InlineArray(MostLevels)]
    private struct Levels
    {
        private long _first;
    }
}
