using System.Buffers;
using Nerdbank.MessagePack;
using PolyType;

namespace CoAP.Formats.Tests;

public sealed class MessagePackFormatTests
{
    private static readonly ITypeShapeProvider Shapes = PackedShapes.GeneratedTypeShapeProvider;

    private static readonly MessagePackFormat Format = new(Shapes);

    [Fact]
    public void The_Content_Format_is_experimental_and_can_be_chosen()
    {
        (Format.ContentFormat, Format.Name).Should().Be((65_100u, "MessagePack"));
        new MessagePackFormat(Shapes, contentFormat: 65_200).ContentFormat.Should().Be(65_200);
        FluentActions.Invoking(static () => new MessagePackFormat(Shapes, contentFormat: 65_536)).Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(static () => new MessagePackFormat(null!)).Should().Throw<ArgumentNullException>();
    }

    [Fact]
    public void Values_with_shapes_survive()
    {
        var reading = new PackedReading("水", -0.1) { History = [1, -1, 1_000_000] };

        RoundTrip(new[] { 1, -1, 1_000_000 }).Should().Equal(1, -1, 1_000_000);
        RoundTrip(new List<string> { "a", "水" }).Should().Equal("a", "水");
        RoundTrip(23.5).Should().Be(23.5);
        RoundTrip(new byte[] { 1, 2 }).Should().Equal(1, 2);
        RoundTrip(DateTimeOffset.UnixEpoch.AddTicks(1)).Should().Be(DateTimeOffset.UnixEpoch.AddTicks(1));
        RoundTrip(reading).Should().BeEquivalentTo(reading);
        RoundTrip(new PackedNode { Next = new PackedNode { Value = 2 } }).Next!.Value.Should().Be(2);
    }

    [Fact]
    public void An_object_is_a_map_with_the_names_of_its_members()
    {
        var written = Written(new PackedReading("a", 0.5, 7) { History = [3], Secret = "not written" });

        PlainMessagePack.Describe(written).Should().Be("{\"Sensor\":\"a\",\"Celsius\":f3fe0000000000000,\"Battery\":7,\"h\":[3]}");
    }

    // The bytes are those of the npm package @msgpack/msgpack, version 3.1.3.
    [Fact]
    public void A_document_of_another_encoder_is_read_and_unknown_members_are_skipped()
    {
        var read = Read<PackedReading>("84a653656e736f72a161a743656c73697573cb3fb999999999999aa168920102a54f74686572949080919081a1619180");

        read.Should().BeEquivalentTo(new PackedReading("a", 0.1) { History = [1, 2] });
    }

    [Theory]
    [InlineData("9201", "The payload ends within a value (at byte 2).")]
    [InlineData("910100", "The payload continues after the value (at byte 2).")]
    [InlineData("91a0", "Invalid MessagePack: *fixstr* (at byte 1).")]
    [InlineData("81a16101", "Invalid MessagePack: *fixmap* (at byte 0).")]
    [InlineData("", "The payload ends within a value (at byte 0).")]
    [InlineData("c0", "The MessagePack value is nil; a value is required (at byte 0).")]
    [InlineData("c1", "The byte 0xc1 is never used in MessagePack (at byte 0).")]
    [InlineData("91ce80000000", "A number or a length is out of range (at byte 1).")]
    public void A_payload_that_is_not_the_value_is_refused(string hex, string message) => Refuse<int[]>(hex, message);

    [Theory]
    [InlineData("80", "Invalid MessagePack: Missing required properties: Sensor, Celsius (at byte 1).")]
    [InlineData("82a653656e736f72a161a653656e736f72a161", "Invalid MessagePack: *'Sensor' has already been assigned a value*")]
    [InlineData("82a653656e736f72c0a743656c7369757300", "Invalid MessagePack: *'Sensor' is non-nullable*")]
    [InlineData("82a653656e736f72a1ffa743656c7369757300", "A text is not valid UTF-8, in Sensor (at byte *).")]
    [InlineData("82a653656e736f72a161a743656c73697573a161", "A value is not valid for the expected type, in Celsius (at byte 18).")]
    public void Objects_that_lack_a_member_or_have_a_wrong_one_are_refused(string hex, string message) => Refuse<PackedReading>(hex, message);

    [Fact]
    public void A_value_that_a_constructor_refuses_is_the_fault_of_the_payload()
    {
        Read<PackedPicky>("81a64e756d62657205").Number.Should().Be(5);
        Refuse<PackedPicky>("81a64e756d626572ff", "A value is not valid for the expected type (at byte 9).");
        Refuse<Dictionary<string, int>>("82a16101a16102", "A value is not valid for the expected type (at byte *).");
    }

    [Fact]
    public void Types_without_a_shape_are_refused()
    {
        Format.Handles(typeof(PackedReading)).Should().BeTrue();
        Format.Handles(typeof(Version)).Should().BeFalse();
        FluentActions.Invoking(static () => Format.Read<Version>(default)).Should().Throw<NotSupportedException>()
            .WithMessage("*no shape for System.Version. Add [GenerateShapeFor<Version>] *");
        FluentActions.Invoking(static () => Written(new Version())).Should().Throw<NotSupportedException>();
    }

    [Fact]
    public void Values_that_cannot_be_written_are_refused()
    {
        var ring = new PackedNode();
        ring.Next = ring;

        FluentActions.Invoking(() => Written(ring)).Should().Throw<ArgumentException>().WithMessage("*too many levels; perhaps it contains itself*");
        FluentActions.Invoking(static () => Written(new List<string> { "\ud800" })).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void The_options_of_the_serializer_are_kept()
    {
        var format = new MessagePackFormat(Shapes, serializer: new MessagePackSerializer { PropertyNamingPolicy = MessagePackNamingPolicy.CamelCase });
        var output = new ArrayBufferWriter<byte>();

        format.Write(output, new PackedNode { Value = 1 });

        PlainMessagePack.Describe(output.WrittenSpan.ToArray()).Should().StartWith("{\"value\":1");
    }

    internal static byte[] Written<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        Format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    private static T RoundTrip<T>(T value)
    {
        Format.Handles(typeof(T)).Should().BeTrue();
        return Format.Read<T>(Written(value));
    }

    private static T Read<T>(string hex) => Format.Read<T>(Convert.FromHexString(hex));

    private static void Refuse<T>(string hex, string message)
    {
        var error = FluentActions.Invoking(() => Read<T>(hex)).Should().Throw<CoapPayloadException>().WithMessage(message).Which;
        error.Message.Should().EndWith($"(at byte {error.Offset}).");
    }
}
