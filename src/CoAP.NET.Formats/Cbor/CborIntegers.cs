using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Reads many integers at once.</summary>
internal static class CborIntegers
{
    private const int LongestInteger = 5;

    /// <summary>Reads complete integers of 32 bits. Stops before any other item, and before one that is cut off. Never throws.</summary>
    internal static int Take(ref CborInput input, Span<int> values)
    {
        ref var data = ref MemoryMarshal.GetArrayDataReference(input.Data);
        var position = (nint)input.Position;
        // Up to here, the longest integer is complete.
        var safeEnd = input.End - (nint)LongestInteger;
        var count = 0;
        for (; count < values.Length && position <= safeEnd; count++)
        {
            var length = TakeOne(ref Unsafe.Add(ref data, position), out values[count]);
            if (length == 0) { break; }
            position += length;
        }
        input.Position = (int)position;
        return position <= safeEnd ? count : count + TakeLast(ref input, values[count..]);
    }

    // Reads the integers from a copy that is long enough.
    private static int TakeLast(ref CborInput input, Span<int> values)
    {
        Span<byte> copy = stackalloc byte[2 * LongestInteger];
        copy.Fill(CborMajor.Break);
        input.Data.AsSpan(input.Position, input.Left).CopyTo(copy);
        var position = 0;
        var count = 0;
        for (; count < values.Length && position < input.Left; count++)
        {
            var length = TakeOne(ref copy[position], out var value);
            if (length == 0 || length > input.Left - position) { break; }
            values[count] = value;
            position += length;
        }
        input.Position += position;
        return count;
    }

    // Returns the length, or 0 for anything else. All bytes of the longest integer must be readable.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int TakeOne(ref byte start, out int value)
    {
        value = 0;
        int initial = start;
        if (initial >= CborMajor.Bytes) { return 0; }
        // All bits set for negative integers, otherwise none: -1 - n is ~n.
        var sign = -(initial >> 5);
        var information = initial & 0x1f;
        ref var argument = ref Unsafe.Add(ref start, 1);
        switch (information)
        {
            case < 24:
                value = information ^ sign;
                return 1;
            case 24:
                value = argument ^ sign;
                return 2;
            case 25:
                value = Ordered(Unsafe.ReadUnaligned<ushort>(ref argument)) ^ sign;
                return 3;
            case 26:
                var bits = Ordered(Unsafe.ReadUnaligned<int>(ref argument));
                value = bits ^ sign;
                // Otherwise, the integer has more than 31 bits.
                return bits >= 0 ? 5 : 0;
            default: return 0;
        }
    }

    private static int Ordered(int value) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;

    private static ushort Ordered(ushort value) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;
}
