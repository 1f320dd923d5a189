using System.Runtime.InteropServices;

namespace CoAP.FormatComparison.Model;

/// <summary>A source of random bits that gives the same sequence for a seed on every runtime (SplitMix64).</summary>
internal sealed class RandomSource(int seed)
{
    private const string Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    private ulong _state = (ulong)seed;

    /// <summary>The entropy of one random character, in bits.</summary>
    public static double BitsPerLetter { get; } = Math.Log2(Letters.Length);

    public ulong NextBits()
    {
        _state += 0x9E3779B97F4A7C15;
        var bits = (_state ^ (_state >> 30)) * 0xBF58476D1CE4E5B9;
        bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
        return bits ^ (bits >> 31);
    }

    public int NextInt32() => (int)(NextBits() >> 32);

    public int NextBelow(int limit) => (int)Math.BigMul(NextBits(), (ulong)limit, out _);

    /// <summary>Returns a number from 0 to less than 1.</summary>
    public double NextUnit() => Math.ScaleB(NextBits() >> 11, -53);

    /// <summary>Returns a number that is uniform over the range of its type, on the finest grid that reaches both ends: 25 random bits.</summary>
    public float NextSingle()
    {
        var bits = NextBits();
        var magnitude = MathF.ScaleB(bits >> 40, 104);
        return (bits & 1) == 0 ? magnitude : -magnitude;
    }

    /// <summary>Returns a number that is uniform over the range of its type, on the finest grid that reaches both ends: 54 random bits.</summary>
    public double NextDouble()
    {
        var bits = NextBits();
        var magnitude = Math.ScaleB(bits >> 11, 971);
        return (bits & 1) == 0 ? magnitude : -magnitude;
    }

    /// <summary>Returns a text of ASCII letters and digits.</summary>
    public string NextText(int length) => string.Create(length, this, static (text, random) =>
    {
        for (var at = 0; at < text.Length; at++) { text[at] = Letters[random.NextBelow(Letters.Length)]; }
    });

    public void Fill(Span<int> values)
    {
        foreach (ref var value in values) { value = NextInt32(); }
    }

    public void Fill(Span<byte> bytes)
    {
        var whole = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ref var bits in whole) { bits = NextBits(); }
        foreach (ref var one in bytes[(whole.Length * sizeof(ulong))..]) { one = (byte)NextBits(); }
    }
}
