using System.Buffers.Binary;
using System.Runtime.CompilerServices;

namespace CoAP.Formats;

/// <summary>Encodes heads and numbers in their shortest form (RFC 8949, section 4.1).</summary>
internal static class CborHeads
{
    private const int InByte = 24;
    private const int In2Bytes = 25;
    private const int In4Bytes = 26;
    private const int In8Bytes = 27;

    // The bits of a fraction that a shorter number does not have.
    private const ulong NotInSingle = (1ul << 29) - 1;
    private const uint NotInHalf = (1u << 13) - 1;

    /// <summary>Writes the head of an item and returns its length. The span needs 9 bytes.</summary>
    internal static int Write(Span<byte> output, int major, ulong value)
    {
        switch (value)
        {
            case < InByte:
                output[0] = (byte)(major | (int)value);
                return 1;
            case <= byte.MaxValue:
                output[1] = (byte)value;
                output[0] = (byte)(major | InByte);
                return 2;
            case <= ushort.MaxValue:
                BinaryPrimitives.WriteUInt16BigEndian(output[1..], (ushort)value);
                output[0] = (byte)(major | In2Bytes);
                return 3;
            case <= uint.MaxValue:
                BinaryPrimitives.WriteUInt32BigEndian(output[1..], (uint)value);
                output[0] = (byte)(major | In4Bytes);
                return 5;
            default:
                BinaryPrimitives.WriteUInt64BigEndian(output[1..], value);
                output[0] = (byte)(major | In8Bytes);
                return 9;
        }
    }

    /// <summary>Writes an integer and returns its length. The caller has made sure that 5 bytes are free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int WriteInt32(ref byte output, int value)
    {
        var sign = value >> 31;
        var major = sign & CborMajor.Negative;
        var bits = (uint)(value ^ sign);
        if (bits > ushort.MaxValue)
        {
            output = (byte)(major | In4Bytes);
            Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, 1), Ordered(bits));
            return 5;
        }
        if (bits < InByte)
        {
            output = (byte)((uint)major | bits);
            return 1;
        }
        if (bits <= byte.MaxValue)
        {
            output = (byte)(major | InByte);
            Unsafe.Add(ref output, 1) = (byte)bits;
            return 2;
        }
        output = (byte)(major | In2Bytes);
        Unsafe.WriteUnaligned(ref Unsafe.Add(ref output, 1), Ordered((ushort)bits));
        return 3;
    }

    /// <summary>Writes a number and returns its length. The span needs 9 bytes.</summary>
    internal static int WriteDouble(Span<byte> output, double value)
    {
        // Most measured values use all bits of the fraction: one test decides.
        if ((BitConverter.DoubleToUInt64Bits(value) & NotInSingle) == 0 || double.IsNaN(value))
        {
            var shorter = (float)value;
            if (shorter == value || double.IsNaN(value)) { return WriteSingle(output, shorter); }
        }
        BinaryPrimitives.WriteDoubleBigEndian(output[1..], value);
        output[0] = CborMajor.Double;
        return 9;
    }

    /// <summary>Writes a number and returns its length. The span needs 5 bytes.</summary>
    internal static int WriteSingle(Span<byte> output, float value)
    {
        if (float.IsNaN(value))
        {
            output[2] = 0;
            output[1] = 0x7e;
            output[0] = CborMajor.Half;
            return 3;
        }
        if ((BitConverter.SingleToUInt32Bits(value) & NotInHalf) == 0)
        {
            var shorter = (Half)value;
            if ((float)shorter == value)
            {
                BinaryPrimitives.WriteHalfBigEndian(output[1..], shorter);
                output[0] = CborMajor.Half;
                return 3;
            }
        }
        BinaryPrimitives.WriteSingleBigEndian(output[1..], value);
        output[0] = CborMajor.Single;
        return 5;
    }

    private static uint Ordered(uint value) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;

    private static ushort Ordered(ushort value) => BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;
}
