using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>The contract of all connections.</summary>
public abstract class StreamContract : IDisposable
{
    private readonly List<IDisposable> _owned = [];

    [Fact]
    public void Bytes_arrive_in_order_and_whole_in_both_directions()
    {
        var (client, server) = Open();
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));

        atClient.Send(StreamRecorder.Pattern(3_000));
        atServer.Send(StreamRecorder.Pattern(5_000));
        atServer.Receive(3_000);
        atClient.Receive(5_000);

        atServer.Received.Should().Equal(StreamRecorder.Pattern(3_000));
        atClient.Received.Should().Equal(StreamRecorder.Pattern(5_000));
    }

    [Fact]
    public void Each_end_knows_the_other()
    {
        var (client, server) = Open();

        client.Peer.Should().Be(server.Local).And.NotBe(default(PeerIdentity));
        server.Peer.Should().Be(client.Local).And.NotBe(client.Peer);
    }

    [Fact]
    public void Each_arm_raises_one_readable_event()
    {
        var (client, server) = Open();
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));

        server.ArmReceive();
        atClient.Send(new byte[] { 1 });
        atServer.WaitReadable();
        atClient.Send(new byte[] { 2 });
        atServer.Receive(2);

        atServer.Received.Should().Equal(1, 2);
        atServer.Readables.Should().BeInRange(1, 2);
    }

    [Fact]
    public void After_a_half_close_the_other_direction_continues()
    {
        var (client, server) = Open();
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));

        atClient.Send(new byte[] { 1, 2, 3 });
        client.EndSending();
        atServer.Receive(int.MaxValue);
        atServer.Send(new byte[] { 4 });
        atClient.Receive(1);

        atServer.Last.Should().Be(StreamOutcome.Ended);
        atServer.Received.Should().Equal(1, 2, 3);
        atClient.Received.Should().Equal(4);
    }

    [Fact]
    public void A_close_is_an_end_for_the_peer()
    {
        var (client, server) = Open();
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));

        server.ArmReceive();
        client.ArmReceive();
        client.Dispose();
        atServer.Receive(1);

        atServer.Last.Should().Be(StreamOutcome.Ended);
        client.Receive(new byte[1], out _).Should().Be(StreamOutcome.Failed);
        client.Send(new byte[1], out _).Should().Be(StreamOutcome.Failed);
        atClient.Received.Should().BeEmpty();
    }

    [Fact]
    public void Sending_to_a_closed_peer_fails_with_the_cause()
    {
        var (client, server) = Open();
        _ = new StreamRecorder(client);

        server.Dispose();
        var outcome = StreamOutcome.Done;
        for (var attempt = 0; attempt < 1_000 && outcome is StreamOutcome.Done; attempt++) { outcome = client.Send(new byte[4096], out _); }

        outcome.Should().Be(StreamOutcome.Failed);
        client.Error.Should().NotBeNull();
    }

    [Fact]
    public void A_slow_reader_receives_more_than_all_buffers_hold()
    {
        var (client, server) = Open();
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));
        var bytes = StreamRecorder.Pattern(8 << 20);

        var sending = new Thread(() => atClient.Send(bytes));
        sending.Start();
        atServer.Receive(bytes.Length);
        sending.Join();

        atServer.Received.SequenceEqual(bytes).Should().BeTrue();
    }

    public void Dispose()
    {
        foreach (var owned in _owned) { owned.Dispose(); }
        Close();
        GC.SuppressFinalize(this);
    }

    private protected abstract (IStreamConnection Client, IStreamConnection Server) Connect();

    /// <summary>Closes what the connections use, after the connections.</summary>
    private protected virtual void Close()
    {
    }

    private protected T Own<T>(T owned)
        where T : IDisposable
    {
        _owned.Add(owned);
        return owned;
    }

    private (IStreamConnection Client, IStreamConnection Server) Open()
    {
        var (client, server) = Connect();
        return (Own(client), Own(server));
    }
}
