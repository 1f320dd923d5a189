using System.Net;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
public sealed class PortableUdpTransportTests : UdpTransportContract
{
    private protected override UdpSettings Settings { get; } = new() { UsesNativeCalls = false };

    private protected override IEnumerable<IPAddress> AddressesOfWildcard => LocalAddresses.OfCards.Prepend(IPAddress.Loopback);

    [Fact]
    public void Is_used_if_native_calls_are_disabled()
    {
        using var cut = Open(new IPEndPoint(IPAddress.Loopback, 0));

        cut.Should().BeOfType<PortableUdpTransport>();
    }

    [Fact]
    public void An_ICMP_error_is_ignored_and_nothing_else_suffers()
    {
        using var client = Open(new IPEndPoint(IPAddress.Loopback, 0));
        using var server = Open(new IPEndPoint(IPAddress.Loopback, 0));
        var closed = Open(new IPEndPoint(IPAddress.Loopback, 0));
        closed.Dispose();
        var (heard, told) = (new UdpRecorder(), new UdpRecorder());

        SendTo(client, closed.LocalEndPoints[0], 1);
        SendTo(client, server.LocalEndPoints[0], 2);
        heard.ReceiveCount(server, 1);
        client.Receive(told);

        heard.Datagrams[0].Bytes.Should().Equal(2);
        told.Errors.Should().BeEmpty();
    }
}
