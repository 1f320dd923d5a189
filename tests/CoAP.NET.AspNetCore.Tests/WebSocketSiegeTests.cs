using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;

namespace CoAP.AspNetCore.Tests;

/// <summary>WebSockets that are opened and dropped, and more WebSockets than the limit allows.</summary>
[Trait("Category", "Loopback")]
public sealed class WebSocketSiegeTests
{
    [Fact]
    public async Task Three_hundred_upgrades_that_are_dropped_or_wrong_leave_nothing_behind()
    {
        await using var host = await WebHost.StartAsync(new CoapServerSettings { Endpoints = [], WebSockets = new WebSocketServerSettings { MaxConnections = 1 } });

        for (var at = 0; at < 300; at++) { Drop(host, at); }
        await using var client = new CoapClient();
        var answer = await GetWhenThereIsRoomAsync(client, host);

        answer.PayloadText.Should().Be("Hello, CoAP!", "the only slot is free again");
    }

    private static async Task<CoapResponse> GetWhenThereIsRoomAsync(CoapClient client, WebHost host)
    {
        for (var attempt = 0; ; attempt++)
        {
            try { return await client.GetAsync($"coap+ws://{host.Authority}/hello"); }
            catch (CoapTransportException) when (attempt < 500)
            {
                // The server has not yet noticed the end of the last WebSocket.
            }
        }
    }

    [Fact]
    public async Task A_web_socket_past_the_limit_is_refused_with_the_reason_and_tcp_has_its_own_limit()
    {
        var settings = new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))],
            Tcp = new TcpSettings { MaxConnections = 1 },
            WebSockets = new WebSocketServerSettings { MaxConnections = 3 },
        };
        await using var host = await WebHost.StartAsync(settings);
        using var first = await ConnectAsync(host);
        using var second = await ConnectAsync(host);

        using var third = await ConnectAsync(host);
        var end = await third.ReceiveAsync(new byte[256], default);
        await using var client = new CoapClient();
        var overTcp = await client.GetAsync($"coap+tcp://{host.Server.Endpoints[0].Address}/hello");

        end.MessageType.Should().Be(WebSocketMessageType.Close);
        third.CloseStatus.Should().Be(WebSocketCloseStatus.PolicyViolation);
        third.CloseStatusDescription.Should().Be("The account of this peer holds 2 of 3 connections (WebSockets.MaxConnections).");
        overTcp.PayloadText.Should().Be("Hello, CoAP!");
    }

    private static async Task<ClientWebSocket> ConnectAsync(WebHost host)
    {
        var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("coap");
        await socket.ConnectAsync(host.WebSocket, default);
        return socket;
    }

    private static void Drop(WebHost host, int number)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveTimeout = 20_000 };
        socket.Connect(IPAddress.Loopback, new Uri(host.Address).Port);
        socket.Send(Encoding.ASCII.GetBytes(
            "GET /.well-known/coap HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            + $"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {(number % 3 == 2 ? "chat" : "coap")}\r\n\r\n"));
        if (number % 3 > 0) { socket.Receive(new byte[1024]); }
        if (number % 2 == 0) { socket.LingerState = new LingerOption(true, 0); }
    }
}
