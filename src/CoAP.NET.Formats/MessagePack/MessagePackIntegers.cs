using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>Runs of integers of 32 bits, without a bounds check for each.</summary>
/// <remarks>
/// There are branches for integers of one and of five bytes, because most lists have only one of these sizes. There is none for the sign, which is
/// rarely predictable, nor for the sizes between.
/// </remarks>
internal static class MessagePackIntegers
{
    /// <summary>The length of the longest integer of 32 bits, in bytes.</summary>
    public const int MaxLength = 1 + sizeof(int);

    private const int BitsOfByte = 8, BitsOfInt = 32;
    private const uint FixIntegers = 1 + MessagePackByte.MaxFixInteger - MessagePackByte.MinFixInteger;
    private const uint ShortIntegers = 1 + ushort.MaxValue - short.MinValue;
    private const int FromUnsignedToSigned = MessagePackByte.Int8 - MessagePackByte.UInt8;

    private static readonly ShortForm[] ShortForms = [.. Enumerable.Range(0, 1 << 8).Select(static first => FormOf((byte)first))];

    /// <summary>Writes integers, each in its shortest form. Returns the number of bytes.</summary>
    /// <param name="room">At least five bytes for each value.</param>
    /// <param name="values">The integers.</param>
    public static int Write(Span<byte> room, ReadOnlySpan<int> values)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(room.Length, checked(MaxLength * values.Length));
        ref var target = ref MemoryMarshal.GetReference(room);
        nint at = 0;
        foreach (var value in values)
        {
            // One comparison for each range: two would be a branch on the sign.
            if ((uint)(value - MessagePackByte.MinFixInteger) < FixIntegers) { Unsafe.Add(ref target, at++) = (byte)value; }
            else if ((uint)(value - short.MinValue) < ShortIntegers) { at += WriteShort(ref Unsafe.Add(ref target, at), value); }
            else
            {
                Unsafe.Add(ref target, at) = (byte)(MessagePackByte.UInt32 + ((value >> (BitsOfInt - 1)) & FromUnsignedToSigned));
                WriteBigEndian(ref Unsafe.Add(ref target, at + 1), value);
                at += MaxLength;
            }
        }
        return (int)at;
    }

    /// <summary>Reads complete integers of 32 bits, and stops before any other item. Returns their number.</summary>
    /// <param name="source">The items.</param>
    /// <param name="values">The integers.</param>
    /// <param name="length">The number of bytes that were read.</param>
    public static int Read(ReadOnlySpan<byte> source, Span<int> values, out int length)
    {
        ref var start = ref MemoryMarshal.GetReference(source);
        nint at = 0, last = source.Length - MaxLength;
        var count = 0;
        while (count < values.Length && at <= last)
        {
            var size = ReadOne(ref Unsafe.Add(ref start, at), out values[count]);
            if (size == 0) { break; }
            at += size;
            count++;
        }
        length = (int)at;
        return at > last ? ReadRest(source, values, count, ref length) : count;
    }

    // An integer of one or two bytes after the first. Writes up to five.
    private static int WriteShort(ref byte target, int value)
    {
        var sign = value >> (BitsOfInt - 1);
        var bits = BitsOfInt - BitOperations.LeadingZeroCount((uint)(value ^ sign)) - sign;     // a signed integer needs one more
        var form = Convert.ToInt32(bits > BitsOfByte);
        var size = 1 << form;
        target = (byte)(MessagePackByte.UInt8 + form + (sign & FromUnsignedToSigned));
        WriteBigEndian(ref Unsafe.Add(ref target, 1), value << (BitsOfInt - (BitsOfByte * size)));
        return 1 + size;
    }

    private static void WriteBigEndian(ref byte target, int value) =>
        Unsafe.WriteUnaligned(ref target, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    // The last bytes are copied, so that five can be read.
    private static int ReadRest(ReadOnlySpan<byte> source, Span<int> values, int count, ref int length)
    {
        Span<byte> rest = stackalloc byte[2 * MaxLength];
        source[length..].CopyTo(rest);
        for (var at = 0; count < values.Length && length < source.Length; count++)
        {
            var size = ReadOne(ref rest[at], out var value);
            if (size == 0 || size > source.Length - length) { break; }
            values[count] = value;
            at += size;
            length += size;
        }
        return count;
    }

    // Reads up to five bytes. Returns the length of the item, or 0 if it is not an integer of 32 bits.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int ReadOne(ref byte source, out int value)
    {
        var first = source;
        value = (sbyte)first;
        if (value >= MessagePackByte.MinFixInteger) { return 1; }
        var next = Unsafe.ReadUnaligned<int>(ref Unsafe.Add(ref source, 1));
        var left = BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(next) : next;
        if (first == MessagePackByte.Int32 | first == MessagePackByte.UInt32)
        {
            value = left;
            return first == MessagePackByte.UInt32 & value < 0 ? 0 : MaxLength;
        }
        ref var form = ref Unsafe.Add(ref MemoryMarshal.GetArrayDataReference(ShortForms), first);
        value = (left >> form.Unused) & form.Mask;
        return form.Length;
    }

    private static ShortForm FormOf(byte first) => first switch
    {
        MessagePackByte.UInt8 => new ShortForm(sizeof(byte), byte.MaxValue),
        MessagePackByte.UInt16 => new ShortForm(sizeof(ushort), ushort.MaxValue),
        MessagePackByte.Int8 => new ShortForm(sizeof(sbyte), -1),
        MessagePackByte.Int16 => new ShortForm(sizeof(short), -1),
        _ => default,
    };

    // How an integer is made from the four bytes after the first.
    private readonly struct ShortForm(int size, int mask)
    {
        /// <summary>The length of the item; 0 if it is not an integer of 8 or 16 bits.</summary>
        public readonly int Length = 1 + size;

        /// <summary>The number of bits at the end that do not belong to the integer.</summary>
        public readonly int Unused = BitsOfInt - (BitsOfByte * size);

        /// <summary>The bits that remain of an unsigned integer whose sign has been extended.</summary>
        public readonly int Mask = mask;
    }
}
