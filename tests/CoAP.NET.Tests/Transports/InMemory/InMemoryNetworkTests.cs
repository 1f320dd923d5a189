using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class InMemoryNetworkTests
{
    private static readonly PeerIdentity Alice = PeerIdentity.From("alice");
    private static readonly PeerIdentity Bob = PeerIdentity.From("bob");

    [Fact]
    public void A_datagram_arrives_with_both_identities()
    {
        var network = new InMemoryNetwork();
        using var alice = network.OpenDatagrams(Alice);
        using var bob = network.OpenDatagrams(Bob);
        var heard = new UdpRecorder();

        alice.Send(new ChannelKey(Bob, default), [1, 2, 3]).Should().BeTrue();
        bob.Receive(heard).Should().Be(1);

        heard.Datagrams.Should().ContainSingle();
        heard.Datagrams[0].Key.Should().Be(new ChannelKey(Alice, Bob));
        heard.Datagrams[0].Bytes.Should().Equal(1, 2, 3);
    }

    [Fact]
    public void A_datagram_that_finds_a_full_queue_is_lost_and_counted()
    {
        var network = new InMemoryNetwork { MaxQueuedDatagrams = 2 };
        using var alice = network.OpenDatagrams(Alice);
        using var bob = network.OpenDatagrams(Bob);
        var heard = new UdpRecorder();

        for (byte number = 1; number <= 5; number++) { alice.Send(new ChannelKey(Bob, default), [number]); }
        bob.Receive(heard);

        heard.Datagrams.Select(datagram => datagram.Bytes[0]).Should().Equal(1, 2);
        network.LostDatagrams.Should().Be(3);
        bob.Counters[TransportCounters.ReceiveOverflow].Should().Be(3);
    }

    [Fact]
    public void A_datagram_without_a_receiver_comes_back_as_a_network_error()
    {
        var network = new InMemoryNetwork();
        using var alice = network.OpenDatagrams(Alice);
        var told = new UdpRecorder();

        alice.Send(new ChannelKey(Bob, default), [7]);
        alice.Receive(told);

        told.Errors.Should().ContainSingle();
        told.Errors[0].Key.Should().Be(new ChannelKey(Bob, Alice));
        told.Errors[0].Quoted.Should().Equal(7);
        told.Errors[0].Error.Should().Be(SocketError.ConnectionRefused);
    }

    [Fact]
    public void The_function_loses_repeats_and_delays()
    {
        var time = new ManualClock();
        var second = TimeSpan.FromSeconds(1);
        var network = new InMemoryNetwork(time)
        {
            Deliver = datagram => datagram.Bytes.Span[0] switch { 1 => [], 2 => [TimeSpan.Zero, second], _ => [second / 2] },
        };
        using var alice = network.OpenDatagrams(Alice);
        using var bob = network.OpenDatagrams(Bob);
        var heard = new UdpRecorder();

        for (byte number = 1; number <= 3; number++) { alice.Send(new ChannelKey(Bob, default), [number]); }
        bob.Receive(heard).Should().Be(1);
        time.Advance(second / 2);
        bob.Receive(heard).Should().Be(1);
        time.Advance(second / 2);
        bob.Receive(heard).Should().Be(1);

        heard.Datagrams.Select(datagram => datagram.Bytes[0]).Should().Equal(2, 3, 2);
    }

    [Fact]
    public void An_identity_is_free_again_after_the_end()
    {
        var network = new InMemoryNetwork();
        var first = network.OpenDatagrams(Alice);

        var again = () => network.OpenDatagrams(Alice);

        again.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse);
        first.Dispose();
        again.Should().NotThrow();
    }

    [Fact]
    public async Task A_datagram_ends_both_kinds_of_wait()
    {
        var network = new InMemoryNetwork();
        using var alice = network.OpenDatagrams(Alice);
        using var bob = network.OpenDatagrams(Bob);
        var heard = new UdpRecorder();

        var awaited = bob.WaitAsync().AsTask();
        var wasOver = awaited.IsCompleted;
        alice.Send(new ChannelKey(Bob, default), [1]);
        await awaited.WaitAsync(TimeSpan.FromMinutes(1));
        bob.Receive(heard);
        var sender = new Thread(() => alice.Send(new ChannelKey(Bob, default), [2]));
        sender.Start();
        heard.ReceiveCount(bob, 2);
        sender.Join();

        wasOver.Should().BeFalse();
        heard.Datagrams.Should().HaveCount(2);
    }

    [Fact]
    public void Wake_ends_the_next_wait()
    {
        using var alice = new InMemoryNetwork().OpenDatagrams(Alice);

        alice.Wake();
        alice.Wait(Timeout.InfiniteTimeSpan);
        var next = alice.WaitAsync().AsTask();

        next.IsCompleted.Should().BeFalse("one wake ends one wait");
    }
}
