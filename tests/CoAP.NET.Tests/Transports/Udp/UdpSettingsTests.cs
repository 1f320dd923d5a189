namespace CoAP.Tests.Transports;

public sealed class UdpSettingsTests
{
    public static TheoryData<Func<UdpSettings>, string> Wrong => new()
    {
        { () => new UdpSettings { ReceiveBufferSize = 0 }, "ReceiveBufferSize is 0; it must be at least 1.*" },
        { () => new UdpSettings { SendBufferSize = -1 }, "SendBufferSize is -1; it must be at least 1.*" },
        { () => new UdpSettings { BatchSize = 0 }, "BatchSize is 0; 1 to 1024 are allowed.*" },
        { () => new UdpSettings { BatchSize = 1025 }, "BatchSize is 1025; 1 to 1024 are allowed.*" },
        { () => new UdpSettings { MaxReceiveSize = 3 }, "MaxReceiveSize is 3; 4 to 65527 are allowed.*" },
        { () => new UdpSettings { MaxReceiveSize = 65_528 }, "MaxReceiveSize is 65528; 4 to 65527 are allowed.*" },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    public void A_value_outside_its_range_is_refused_with_the_value_and_the_range(Func<UdpSettings> create, string message) =>
        create.Should().Throw<ArgumentOutOfRangeException>().WithMessage(message);
}
