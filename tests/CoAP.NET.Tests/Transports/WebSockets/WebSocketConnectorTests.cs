using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

[Trait("Category", "Loopback")]
public sealed class WebSocketConnectorTests
{
    [Fact]
    public async Task An_alternative_address_that_is_a_name_is_connected_to_like_any_other()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));  // bound, but not listening
        var cut = new WebSocketConnector(new TcpSettings(), new TlsClientSettings(), new WebSocketLimits(1152, TimeSpan.FromMinutes(1), TimeProvider.System, ServerLimits.LedgerOf(new CoapClientSettings())));

        var open = () => cut.OpenAsync(new DnsEndPoint("localhost", ((IPEndPoint)taken.LocalEndPoint!).Port), "host.example", isSecured: false).AsTask();

        (await open.Should().ThrowAsync<SocketException>()).Which.SocketErrorCode.Should().Be(SocketError.ConnectionRefused);
    }
}
