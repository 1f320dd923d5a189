using CoAP.Formats.Tests.Generated;
using Google.Protobuf;

namespace CoAP.Formats.Tests;

public sealed class ProtobufFormatTests
{
    private static readonly IPayloadFormat Format = new ProtobufFormat<Reading>(Reading.Parser);

    internal static Reading Example => new()
    {
        Name = "temperature",
        Value = 21.5,
        History = { 1, -1, long.MinValue },
        Counts = { ["a"] = 1, ["b"] = -1 },
        Raw = ByteString.CopyFrom(1, 2, 3),
        Children = { new Reading { Name = "child", Unit = Unit.Kelvin }, new Reading() },
        Checksum = 0xdeadbeef,
        Tags = { "x", "" },
        IsValid = false,
    };

    // https://protobuf.dev/programming-guides/encoding/
    [Fact]
    public void Writes_and_reads_the_examples_of_the_encoding_guide()
    {
        Check(Test1.Parser, new Test1 { A = 150 }, "08 96 01");
        Check(Test2.Parser, new Test2 { B = "testing" }, "12 07 74 65 73 74 69 6e 67");
        Check(Test3.Parser, new Test3 { C = new Test1 { A = 150 } }, "1a 03 08 96 01");
        Check(Test5.Parser, new Test5 { F = { 3, 270, 86942 } }, "32 06 03 8e 02 9e a7 05");
    }

    [Fact]
    public void Writes_what_googles_encoder_writes_and_reads_it_back()
    {
        JsonFormatTests.Written(Format, Example).Should().Equal(Example.ToByteArray());
        Format.Read<Reading>(Example.ToByteArray()).Should().Be(Example);
        Format.Read<Reading>(default).Should().Be(new Reading());
    }

    [Fact]
    public void Reads_long_payloads_at_any_place_in_memory()
    {
        var message = Example;
        for (var i = 0; i < 100; i++) { message.Children.Add(Example); }
        byte[] bytes = [1, 2, .. message.ToByteArray(), 3];

        Format.Read<Reading>(bytes.AsMemory()[2..^1]).Should().Be(message);
    }

    [Fact]
    public void Handles_only_its_message_and_has_the_agreed_content_format()
    {
        Format.Handles(typeof(Reading)).Should().BeTrue();
        Format.Handles(typeof(Test1)).Should().BeFalse();
        (Format.ContentFormat, Format.Name).Should().Be((65_101u, "Protobuf"));
        new ProtobufFormat<Test1>(Test1.Parser, contentFormat: 65_007).ContentFormat.Should().Be(65_007);
        var create = () => new ProtobufFormat<Test1>(Test1.Parser, contentFormat: 65_536);
        create.Should().Throw<ArgumentOutOfRangeException>();
    }

    [Theory]
    [InlineData("08")]
    [InlineData("0a05616263")]
    [InlineData("0affffffff0f")]
    [InlineData("0affffffffffffffffff01")]
    [InlineData("07")]
    [InlineData("00")]
    [InlineData("0c")]
    [InlineData("1a80")]
    [InlineData("08ffffffffffffffffffffff")]
    public void Refuses_malformed_messages(string hex)
    {
        var read = () => Format.Read<Reading>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>().WithMessage("Invalid Protobuf message: *");
    }

    private static void Check<T>(MessageParser<T> parser, T message, string hex)
        where T : class, IMessage<T>
    {
        IPayloadFormat format = new ProtobufFormat<T>(parser);
        var bytes = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));

        JsonFormatTests.Written(format, message).Should().Equal(bytes);
        format.Read<T>(bytes).Should().Be(message);
    }
}
