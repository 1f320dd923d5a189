using System.Buffers.Binary;
using System.Numerics;

namespace CoAP;

/// <summary>A fast 64-bit hash of the bytes of a message. Without the key, an attacker cannot construct collisions.</summary>
/// <remarks>Processes 16 bytes per step with a 64 x 64 bit multiplication and three numbers drawn from the key. Not a MAC.</remarks>
internal readonly struct ContentHash
{
    private readonly ulong _first;
    private readonly ulong _second;
    private readonly ulong _third;

    /// <param name="key">A secret random number.</param>
    public ContentHash(ulong key)
    {
        _first = Fold(key, 0xA24B_AED4_963E_E407);
        _second = Fold(key, 0x9FB2_1C65_1E98_DF25) ^ BitOperations.RotateLeft(key, 23);
        _third = Fold(_first, _second) ^ key;
    }

    public ulong Of(ReadOnlySpan<byte> bytes)
    {
        var state = _first ^ (uint)bytes.Length;
        var other = _third;
        var rest = bytes;
        while (rest.Length > 32)
        {
            state = Step(rest, state, _second);
            other = Step(rest[16..], other, _first);
            rest = rest[32..];
        }
        if (rest.Length > 16)
        {
            state = Step(rest, state, _second);
            rest = bytes[^16..];
        }
        var low = rest.Length >= sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(rest) : Token.ReadInline(rest);
        var high = rest.Length >= sizeof(ulong) ? BinaryPrimitives.ReadUInt64LittleEndian(rest[^sizeof(ulong)..]) : 0;
        return Fold(Fold(low ^ _second, high ^ state) ^ other, _third ^ (uint)bytes.Length);
    }

    /// <summary>Combines both halves of the 128-bit product.</summary>
    public static ulong Fold(ulong left, ulong right)
    {
        var high = Math.BigMul(left ^ 0x8EBC_6AF0_9C88_C6E3, right ^ 0x5896_36F9_3C4A_B1D7, out var low);
        return high ^ low;
    }

    private static ulong Step(ReadOnlySpan<byte> bytes, ulong state, ulong key) =>
        Fold(BinaryPrimitives.ReadUInt64LittleEndian(bytes) ^ key, BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]) ^ state);
}
