using CoAP.Formats.Tests.Shapes;

namespace CoAP.Formats.Tests;

/// <summary>Values with something in each property, fixed or from a seed.</summary>
internal static class ContractSamples
{
    public static Collected Collected() => new()
    {
        Numbers = [1, -2, 300, int.MaxValue, int.MinValue],
        Names = ["a", null, "ü"],
        Readings = [new("r", 1), new("s", 2.25, Mode.Off, 3)],
        Doubles = [0.1, double.MaxValue, 1],
        Ids = [1, long.MaxValue, -5],
        ByName = new() { ["x"] = new("x", 1), ["none"] = null },
        ByNumber = new Dictionary<int, int[]> { [-1] = [1, 2], [70_000] = [] },
        Gaps = [1, null, 3],
        Table = [[1], [], [2, 3]],
        Modes = [Mode.Fast, Mode.Off],
        Levels = [Level.VeryHigh, Level.Low],
        Bytes = [1, 2, 3],
    };

    public static Numbers Numbers(Random random) => new()
    {
        Flag = random.Next(2) == 0,
        SByte = (sbyte)random.Next(sbyte.MinValue, sbyte.MaxValue + 1),
        Byte = (byte)random.Next(byte.MaxValue + 1),
        Int16 = (short)random.Next(short.MinValue, short.MaxValue + 1),
        UInt16 = (ushort)random.Next(ushort.MaxValue + 1),
        Int32 = (int)Integer(random),
        UInt32 = (uint)Integer(random),
        Int64 = Integer(random),
        UInt64 = (ulong)Integer(random),
        Single = random.NextSingle() * 1000,
        Double = random.Next(3) == 0 ? random.Next(1000) : random.NextDouble() * 1e10,
        Text = random.Next(4) == 0 ? null : Text(random),
        Id = new Guid(random.Next(), 1, 2, 3, 4, 5, 6, 7, 8, 9, (byte)random.Next(256)),
        Letter = (char)random.Next(0x20, 0x2000),
        Date = new DateOnly(random.Next(1, 9999), random.Next(1, 13), random.Next(1, 29)),
        Link = random.Next(2) == 0 ? null : new Uri($"coap://host/{random.Next()}"),
    };

    public static Reading Reading(Random random) =>
        new(Text(random), Math.Round(random.NextDouble() * 100, random.Next(4)), (Mode)random.Next(9), random.Next(2) == 0 ? null : random.Next());

    public static Node Node(Random random, int depth = 0) => new()
    {
        Value = (int)Integer(random),
        Children = depth == 4 ? [] : [.. Enumerable.Range(0, random.Next(4)).Select(_ => Node(random, depth + 1))],
        Next = depth < 4 && random.Next(3) == 0 ? Node(random, depth + 1) : null,
    };

    public static string Text(Random random) =>
        string.Concat(Enumerable.Range(0, random.Next(40)).Select(_ => (random.Next(3) switch { 0 => "ü", 1 => "\U0001F600", _ => "a" })));

    private static long Integer(Random random) => random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
}
