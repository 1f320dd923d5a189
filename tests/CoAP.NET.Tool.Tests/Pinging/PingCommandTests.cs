using System.Net;
using System.Net.Sockets;

namespace CoAP.Tool.Tests.Pinging;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class PingCommandTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_server_that_lives_answers(bool isReliable)
    {
        await using var server = new ToolServer(static _ => { });

        var address = isReliable ? server.Tcp : server.Udp;
        var run = await ToolRun.OfAsync("ping", address, "--count", "3", "--interval", "1ms", "--timeout", "60s");

        run.ExitCode.Should().Be(0, run.Error);
        run.Output.Should().Contain("1: alive, ").And.Contain("3: alive, ").And.Contain("3 sent, 3 answered, 0 % lost");
    }

    [Fact]
    [Trait("RFC", "7252 4.3")]
    public async Task A_ping_is_an_empty_confirmable_message()
    {
        using var peer = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var ping = ToolRun.OfAsync("ping", $"coap://{peer.Client.LocalEndPoint}", "--count", "1", "--timeout", "60s");

        var received = await peer.ReceiveAsync();
        await peer.SendAsync(new byte[] { 0x70, 0, received.Buffer[2], received.Buffer[3] }, received.RemoteEndPoint);

        received.Buffer.Should().HaveCount(4).And.StartWith(new byte[] { 0x40, 0x00 });
        (await ping).Output.Should().Contain("1: alive").And.Contain("1 answered");
    }

    [Fact]
    [Trait("RFC", "7252 4.3")]
    public async Task A_Reset_of_another_message_is_no_answer()
    {
        using var peer = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));
        var ping = ToolRun.OfAsync("ping", $"coap://{peer.Client.LocalEndPoint}", "--count", "1", "--timeout", "300ms");

        var received = await peer.ReceiveAsync();
        await peer.SendAsync(new byte[] { 0x70, 0, (byte)(received.Buffer[2] + 1), received.Buffer[3] }, received.RemoteEndPoint);

        (await ping).Output.Should().Contain("0 answered");
    }

    [Fact]
    public async Task A_silent_peer_gives_exit_code_2()
    {
        using var peer = new UdpClient(new IPEndPoint(IPAddress.Loopback, 0));

        var run = await ToolRun.OfAsync("ping", $"coap://{peer.Client.LocalEndPoint}", "--count", "2", "--timeout", "20ms", "--interval", "1ms");

        run.ExitCode.Should().Be(2);
        run.Output.Should().Contain("2 sent, 0 answered, 100 % lost");
    }
}
