using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Measuring;

namespace CoAP.FormatComparison.Tests.Measuring;

public sealed class DepthProbeTests
{
    private static readonly DepthProbe Usual = new(FormatSet.Default, seed: 1);
    private static readonly DepthProbe Raised = new(FormatSet.Raised, seed: 1);

    [Theory]
    [InlineData(FormatNames.Cbor)]
    [InlineData(FormatNames.Json)]
    [InlineData(FormatNames.Xml)]
    [InlineData(FormatNames.Protobuf)]
    public void Depths_of_50_work_by_default_and_depths_of_100_do_not(string format)
    {
        Usual.Fails(format, 50).Should().BeNull();
        Usual.Fails(format, 100).Should().NotBeNullOrEmpty();
        Usual.Deepest(format).Should().BeInRange(62, 65);
    }

    [Theory]
    [InlineData(FormatNames.Cbor)]
    [InlineData(FormatNames.Json)]
    public void Depths_of_1000_work_with_raised_limits(string format) => Raised.Fails(format, 1000).Should().BeNull();

    [Fact]
    public void MessagePack_takes_32_levels_whatever_the_limits() =>
        (Usual.Deepest(FormatNames.MessagePack), Raised.Deepest(FormatNames.MessagePack)).Should().Be((32, 32));

    [Fact]
    public void The_generic_schema_of_Protobuf_takes_two_messages_for_each_level() =>
        Raised.Deepest(FormatNames.ProtobufGeneric).Should().BeInRange(495, 505);
}
