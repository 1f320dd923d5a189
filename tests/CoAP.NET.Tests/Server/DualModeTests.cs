using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Server;

/// <summary>Whether a server on <c>[::]</c> has the port of IPv4 as well: for datagrams and connections alike.</summary>
[Trait("Category", "Loopback"), Collection("Loopback")]
public sealed class DualModeTests
{
    private static readonly IPEndPoint Everywhere = new(IPAddress.IPv6Any, 0);

    [Theory]
    [InlineData(true, true), InlineData(true, false), InlineData(false, true), InlineData(false, false)]
    public async Task The_setting_of_the_endpoint_decides_for_each_transport(bool isStream, bool isDualMode)
    {
        var endpoint = isStream ? ServerEndpoint.Tcp(Everywhere) : ServerEndpoint.Udp(Everywhere);
        await using var server = new CoapServer(new() { Endpoints = [endpoint], IsDualMode = isDualMode });
        server.Start();

        var second = () => BindIPv4(isStream, server.Endpoints[0].Address.Port);

        if (isDualMode) { second.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse); }
        else { second.Should().NotThrow(); }
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task An_endpoint_of_IPv4_in_the_list_takes_its_part(bool isStream)
    {
        var endpoint = isStream ? ServerEndpoint.Tcp(Everywhere) : ServerEndpoint.Udp(Everywhere);
        var other = isStream ? ServerEndpoint.Tcp(new(IPAddress.Any, 0)) : ServerEndpoint.Udp(new(IPAddress.Any, 0));
        await using var server = new CoapServer(new() { Endpoints = [endpoint, other] });

        server.Start();

        server.Endpoints.Select(one => one.Address.Port).Distinct().Should().ContainSingle();
    }

    private static void BindIPv4(bool isStream, int port)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Any, port));
    }
}
