using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
public sealed class TcpConnectionTests : StreamContract
{
    [Fact]
    public void A_reset_is_a_failure_also_when_it_is_noticed_while_idle()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { LingerState = new LingerOption(true, 0) };
        peer.Connect(listener.LocalEndPoint!);
        using var cut = new TcpConnection(listener.Accept());
        var recorder = new StreamRecorder(cut);

        cut.ArmReceive();
        peer.Dispose();
        recorder.WaitReadable();
        recorder.Receive(1);

        recorder.Last.Should().Be(StreamOutcome.Failed);
        cut.Error.Should().BeOfType<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.ConnectionReset);
    }

    [Fact]
    public void An_armed_send_ends_with_an_error_when_the_peer_goes()
    {
        var (client, server) = Connect();
        Own(client);
        var recorder = new StreamRecorder(client);

        var outcome = StreamOutcome.Done;
        while (outcome is StreamOutcome.Done) { outcome = client.Send(new byte[1 << 16], out _); }
        client.ArmSend(new byte[16 << 20]);
        var wasWritable = recorder.IsWritable;
        server.Dispose();
        recorder.WaitWritable();

        outcome.Should().Be(StreamOutcome.WouldBlock);
        wasWritable.Should().BeFalse();
        client.Error.Should().BeOfType<SocketException>();
    }

    private protected override (IStreamConnection Client, IStreamConnection Server) Connect()
    {
        var accepted = Own(new AcceptRecorder());
        var settings = new TcpSettings();
        var local = new IPEndPoint(IPAddress.Loopback, 0);
        var acceptor = Own(new TcpAcceptor(local, false, settings, ServerLimits.Of(settings), accepted));
        acceptor.Start();
        var client = TcpConnector.ConnectAsync(acceptor.LocalEndPoint, settings, isBlocking: false, CancellationToken.None).GetAwaiter().GetResult();
        return (new TcpConnection(client), accepted.Next());
    }
}
