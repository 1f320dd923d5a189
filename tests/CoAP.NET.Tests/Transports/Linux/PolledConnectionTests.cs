using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
public sealed class PolledConnectionTests : StreamContract
{
    private readonly PollingThread? _thread = LinuxCalls.IsSupported ? new() : null;

    [SkippableFact]
    public void A_reset_is_a_failure_also_when_it_is_noticed_while_idle()
    {
        var (peer, accepted) = ConnectPeer();
        var cut = Own(_thread!.Serve(accepted));
        var recorder = new StreamRecorder(cut);

        cut.ArmReceive();
        peer.LingerState = new LingerOption(true, 0);
        peer.Dispose();
        recorder.WaitReadable();
        recorder.Receive(1);

        recorder.Last.Should().Be(StreamOutcome.Failed);
        cut.Error.Should().BeOfType<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.ConnectionReset);
    }

    [SkippableFact]
    public void The_end_is_not_missed_when_it_comes_with_the_last_bytes()
    {
        var (peer, accepted) = ConnectPeer();
        peer.Send(new byte[] { 1, 2, 3 });
        peer.Shutdown(SocketShutdown.Send);
        var served = Own(_thread!.Serve(accepted));
        var recorder = new StreamRecorder(served);

        recorder.Receive(int.MaxValue);

        recorder.Received.Should().Equal(1, 2, 3);
        recorder.Last.Should().Be(StreamOutcome.Ended);
    }

    [SkippableFact]
    public void Unread_bytes_raise_an_event_without_new_bytes_from_the_peer()
    {
        var (peer, accepted) = ConnectPeer();
        peer.Send(new byte[10_000]);
        var served = Own(_thread!.Serve(accepted));
        var recorder = new StreamRecorder(served);

        served.ArmReceive();
        recorder.WaitReadable();
        served.Receive(new byte[1], out _);
        served.ArmReceive();

        recorder.WaitReadable();
    }

    [SkippableFact]
    public void An_armed_send_ends_with_an_error_when_the_peer_goes()
    {
        var (peer, accepted) = ConnectPeer();
        var served = Own(_thread!.Serve(accepted));
        var recorder = new StreamRecorder(served);
        while (served.Send(new byte[1 << 16], out _) is StreamOutcome.Done) { }

        served.ArmSend(new byte[16 << 20]);
        peer.LingerState = new LingerOption(true, 0);
        peer.Dispose();
        recorder.WaitWritable();

        served.Error.Should().BeOfType<SocketException>();
    }

    [SkippableFact]
    public void A_connection_that_is_closed_while_its_event_is_queued_raises_no_further_event()
    {
        var (peer, accepted) = ConnectPeer();
        var served = _thread!.Serve(accepted);
        var recorder = new StreamRecorder(served);
        served.ArmReceive();

        served.Dispose();
        var before = recorder.Readables;   // the first arm raises an event, because the state of the socket is unknown
        peer.Dispose();
        WitnessSomethingLater();

        recorder.Readables.Should().Be(before);
    }

    [SkippableFact]
    public void A_connection_that_always_has_more_to_do_is_visited_once_per_turn()
    {
        var (_, accepted) = ConnectPeer();
        using var poller = new ConnectionPoller();
        using var cut = new PolledConnection(accepted);
        var sender = new EndlessSender(cut);
        cut.Join(poller);
        cut.ArmSend(new byte[1]);

        poller.Poll();
        while (sender.Sent < 100 && poller.TryNext(out var connection)) { connection.RaiseEvents(); }

        sender.Sent.Should().BeInRange(1, 2, "one visit is for the change and one for the queue");
        poller.HasPending.Should().BeTrue();
    }

    // Events are raised in their order. When this one is raised, all earlier ones were.
    private void WitnessSomethingLater()
    {
        var (peer, accepted) = ConnectPeer();
        var witness = Own(_thread!.Serve(accepted));
        var recorder = new StreamRecorder(witness);
        peer.Send(new byte[] { 1 });
        recorder.Receive(1);
    }

    private protected override (IStreamConnection Client, IStreamConnection Server) Connect()
    {
        var (client, server) = ConnectSockets();
        return (_thread!.Serve(client), _thread.Serve(server));
    }

    private protected override void Close() => _thread?.Dispose();

    private (Socket Peer, Socket Accepted) ConnectPeer()
    {
        var (peer, accepted) = ConnectSockets();
        return (Own(peer), accepted);
    }

    private static (Socket Peer, Socket Accepted) ConnectSockets()
    {
        Skip.IfNot(LinuxCalls.IsSupported);
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        peer.Connect(listener.LocalEndPoint!);
        return (peer, listener.Accept());
    }

    private sealed class EndlessSender : IStreamEvents
    {
        private readonly PolledConnection _connection;

        public EndlessSender(PolledConnection connection)
        {
            _connection = connection;
            connection.Attach(this);
        }

        public int Sent { get; private set; }

        public void OnReadable()
        {
        }

        public void OnWritable()
        {
            Sent++;
            _connection.ArmSend(new byte[1]);
        }
    }
}
