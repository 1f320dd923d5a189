using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Streams;

/// <summary>Reconnecting with sockets and the system's clock.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class StreamReconnectLoopbackTests
{
    // On a machine under load, the next requests must not be so late that they need not wait.
    private static readonly TimeSpan Delay = TimeSpan.FromSeconds(3);

    [Theory, InlineData(false), InlineData(true)]
    public async Task Requests_to_a_server_that_restarts_get_through_when_it_is_there(bool isSync)
    {
        using var place = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        place.Bind(new IPEndPoint(IPAddress.Loopback, 0));      // taken, but nobody listens
        var address = (IPEndPoint)place.LocalEndPoint!;
        await using var client = new CoapClient(new() { Reconnect = new() { InitialDelay = Delay } });
        var call = () => isSync ? Task.Run(() => client.Get($"coap+tcp://{address}/hello")) : client.GetAsync($"coap+tcp://{address}/hello").AsTask();
        var watch = Stopwatch.StartNew();
        var refused = (await call.Should().ThrowAsync<CoapTransportException>()).Which;
        var waiting = Enumerable.Range(0, 4).Select(_ => call()).ToArray();

        place.Dispose();
        await using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Tcp(address)] });
        server.Resources.At("hello").Get(_ => Response.Content("back"));
        server.Start();
        var answers = await Task.WhenAll(waiting).WaitAsync(TimeSpan.FromMinutes(1));

        refused.Message.Should().StartWith("No TCP connection to 127.0.0.1");
        refused.Message.Split("127.0.0.1").Should().HaveCount(2, "the address is named once");
        answers.Should().OnlyContain(answer => answer.PayloadText == "back");
        watch.Elapsed.Should().BeGreaterThan(0.45 * Delay);
        server.OpenConnections.Should().Be(1);
    }
}
