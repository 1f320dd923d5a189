namespace CoAP.Formats.Tests;

public sealed class XmlHostileTests
{
    private const int Seed = 41;

    private static readonly XmlFormat Format = new(RoomContracts.Default);

    private static readonly byte[][] Valid =
    [
        JsonFormatTests.Written(Format, new Room("a", 1.5, true) { Children = [new Room("b", 2, false)], Counts = new() { ["x y"] = 1 },
            Raw = [1, 2, 3] }),
        """<?xml version="1.0" encoding="utf-8"?><a xmlns:n="urn:x"><!-- c --><n:name b="&lt;&#65;">x<![CDATA[<y>]]>&amp;</n:name></a>"""u8.ToArray(),
        "<a><item>1</item><item>-2</item><item/></a>"u8.ToArray(), "<a>12345678901234567890</a>"u8.ToArray(),
        "<a>2026-02-28T12:00:00.5+01:00</a>"u8.ToArray(),
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"u8.ToArray(), "<a><_1>1</_1><_x0041_>2</_x0041_></a>"u8.ToArray(),
    ];

    [Fact]
    public void Random_bytes_break_nothing()
    {
        var turn = 0;
        HostileInputs.Run(Valid, bytes => Read(turn++ % 10, bytes), Seed);
    }

    [Fact]
    public void Random_bytes_break_no_item_streams() =>
        HostileInputs.Run(Valid, bytes => _ = Format.ReadItems<Tree>(new Pieces(bytes, 16)).Count(), Seed + 1);

    [Fact]
    public void Random_bytes_break_no_serializer()
    {
        var format = new XmlSerializerFormat([typeof(XmlDevice)]);
        byte[][] valid = [JsonFormatTests.Written(format, new XmlDevice { Id = 7, Tags = ["a"], Children = [new XmlDevice()] }), Valid[1], Valid[5]];
        HostileInputs.Run(valid, bytes => _ = format.Read<XmlDevice>(bytes), Seed + 2);
    }

    private static object? Read(int turn, byte[] bytes) => turn switch
    {
        0 => Format.Read<Room>(bytes),
        1 => Format.Read<List<int>>(bytes),
        2 => Format.Read<Dictionary<string, string>>(bytes),
        3 => Format.Read<DateTimeOffset>(bytes),
        4 => Format.Read<ulong>(bytes),
        5 => Format.Read<string>(bytes),
        6 => Format.Read<byte[]>(bytes),
        7 => Format.Read<decimal>(bytes),
        8 => Format.Read<double[]>(bytes),
        _ => Format.Read<Tree>(bytes),
    };
}
