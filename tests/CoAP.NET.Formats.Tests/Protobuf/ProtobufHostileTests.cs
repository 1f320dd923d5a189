using CoAP.Formats.Tests.Generated;
using Google.Protobuf;

namespace CoAP.Formats.Tests;

public sealed class ProtobufHostileTests
{
    private const int Seed = 65101;

    private static readonly IPayloadFormat Flat = new ProtobufFormat<Test5>(Test5.Parser), Nested = new ProtobufFormat<Reading>(Reading.Parser);

    private static readonly byte[][] Valid =
    [
        new Test5 { F = { 3, 270, 86942, -1 } }.ToByteArray(), ProtobufFormatTests.Example.ToByteArray(),
        new Test3 { C = new Test1 { A = 150 } }.ToByteArray(),
        [0x30, 0x01, 0x30, 0x02], [.. Enumerable.Repeat((byte)1, 300).Prepend((byte)0x02).Prepend((byte)0xac).Prepend((byte)0x32)],
    ];

    [Fact]
    public void Random_bytes_break_nothing() =>
        HostileInputs.Run(Valid, (bytes, turn) => _ = turn % 2 == 0 ? (object)Flat.Read<Test5>(bytes) : Nested.Read<Reading>(bytes), Seed);
}
