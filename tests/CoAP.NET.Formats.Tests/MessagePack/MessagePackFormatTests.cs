using System.Buffers;

namespace CoAP.Formats.Tests;

public sealed class MessagePackFormatTests
{
    private static readonly MessagePackFormat Format = new(PayloadContracts.Builtin);

    [Fact]
    public void The_Content_Format_is_experimental_and_can_be_chosen()
    {
        (Format.ContentFormat, Format.Name).Should().Be((65_100u, "MessagePack"));
        new MessagePackFormat(PayloadContracts.Builtin, contentFormat: 65_200).ContentFormat.Should().Be(65_200);
        FluentActions.Invoking(static () => new MessagePackFormat(PayloadContracts.Builtin, contentFormat: 65_536))
            .Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(static () => new MessagePackFormat(null!)).Should().Throw<ArgumentNullException>();
    }

    [Fact]
    public void Values_with_contracts_survive()
    {
        RoundTrip(new[] { 1, -1, 1_000_000 }).Should().Equal(1, -1, 1_000_000);
        RoundTrip(new List<string> { "a", "水" }).Should().Equal("a", "水");
        RoundTrip(23.5).Should().Be(23.5);
        RoundTrip(new byte[] { 1, 2 }).Should().Equal(1, 2);
        RoundTrip(DateTimeOffset.UnixEpoch.AddTicks(1)).Should().Be(DateTimeOffset.UnixEpoch.AddTicks(1));
    }

    [Theory]
    [InlineData("9201", "only 1 bytes are left")]
    [InlineData("910100", "1 more bytes after its last item")]
    [InlineData("91a0", "Expected an integer; found a text")]
    [InlineData("", "ends where an item is expected")]
    public void A_payload_that_is_not_the_value_is_refused(string hex, string message) =>
        FluentActions.Invoking(() => Format.Read<int[]>(Convert.FromHexString(hex)))
            .Should().Throw<CoapPayloadException>().WithMessage($"*{message}*");

    [Fact]
    public void The_limits_of_the_format_hold()
    {
        var format = new MessagePackFormat(PayloadContracts.Builtin, new PayloadLimits { MaxCount = 2, MaxSize = 10 });

        format.Read<int[]>(Convert.FromHexString("920102")).Should().Equal(1, 2);
        format.Invoking(static one => one.Read<int[]>(Convert.FromHexString("93010203")))
            .Should().Throw<CoapPayloadException>().WithMessage("*3 items; at most 2*");
        format.Invoking(static one => one.Read<int[]>(new byte[11]))
            .Should().Throw<CoapPayloadException>().WithMessage("*11 bytes; at most 10*");
    }

    private static T RoundTrip<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        Format.Handles(typeof(T)).Should().BeTrue();
        Format.Write(output, value);
        return Format.Read<T>(output.WrittenMemory);
    }
}
