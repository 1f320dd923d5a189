using System.Buffers.Binary;

namespace CoAP.Formats;

/// <summary>The data of the extension type -1 (MessagePack specification, "Timestamp extension type").</summary>
/// <remarks>
/// Timestamp 32 has seconds; timestamp 64 has nanoseconds in 30 bits and seconds in 34 bits; timestamp 96 has nanoseconds in 32 bits and signed
/// seconds in 64 bits. Nanoseconds always count forward from the second.
/// </remarks>
internal static class MessagePackTimestamp
{
    public const sbyte Type = -1;

    /// <summary>The length of the longest form, in bytes.</summary>
    public const int MaxLength = Length96;

    private const int Length32 = 4, Length64 = 8, Length96 = 12;
    private const int BitsOfSeconds = 34;
    private const ulong MaxSeconds = (1ul << BitsOfSeconds) - 1;
    private const uint MaxNanoseconds = 999_999_999;

    private static readonly long MinSecond = DateTimeOffset.MinValue.ToUnixTimeSeconds(), MaxSecond = DateTimeOffset.MaxValue.ToUnixTimeSeconds();

    /// <summary>Writes the data in its shortest form. Returns its length: 4, 8 or 12 bytes.</summary>
    public static int Write(Span<byte> target, DateTimeOffset value)
    {
        var ticks = value.UtcTicks - DateTimeOffset.UnixEpoch.UtcTicks;
        var seconds = ticks / TimeSpan.TicksPerSecond;
        if (ticks < seconds * TimeSpan.TicksPerSecond) { seconds--; }
        var nanoseconds = (uint)((ticks - (seconds * TimeSpan.TicksPerSecond)) * TimeSpan.NanosecondsPerTick);
        if (seconds is < 0 or > (long)MaxSeconds)
        {
            BinaryPrimitives.WriteUInt32BigEndian(target, nanoseconds);
            BinaryPrimitives.WriteInt64BigEndian(target[sizeof(uint)..], seconds);
            return Length96;
        }
        if (nanoseconds == 0 && seconds <= uint.MaxValue)
        {
            BinaryPrimitives.WriteUInt32BigEndian(target, (uint)seconds);
            return Length32;
        }
        BinaryPrimitives.WriteUInt64BigEndian(target, ((ulong)nanoseconds << BitsOfSeconds) | (ulong)seconds);
        return Length64;
    }

    /// <summary>Reads the data of a timestamp. Returns what is wrong with it, or <see langword="null"/>. Parts of 100 ns are cut off.</summary>
    public static string? Read(ReadOnlySpan<byte> data, out DateTimeOffset value)
    {
        value = default;
        long seconds;
        uint nanoseconds = 0;
        switch (data.Length)
        {
            case Length32:
                seconds = BinaryPrimitives.ReadUInt32BigEndian(data);
                break;
            case Length64:
                var both = BinaryPrimitives.ReadUInt64BigEndian(data);
                (seconds, nanoseconds) = ((long)(both & MaxSeconds), (uint)(both >> BitsOfSeconds));
                break;
            case Length96:
                (nanoseconds, seconds) = (BinaryPrimitives.ReadUInt32BigEndian(data), BinaryPrimitives.ReadInt64BigEndian(data[sizeof(uint)..]));
                break;
            default:
                return $"The timestamp has {data.Length} bytes of data; 4, 8 or 12 are allowed";
        }
        if (nanoseconds > MaxNanoseconds) { return $"The timestamp has {nanoseconds} nanoseconds; at most {MaxNanoseconds} are allowed"; }
        if (seconds < MinSecond || seconds > MaxSecond)
        {
            return $"The timestamp is {seconds} seconds after 1970; {MinSecond} to {MaxSecond} are allowed (the years 1 to 9999)";
        }
        value = DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(nanoseconds / TimeSpan.NanosecondsPerTick);
        return null;
    }
}
