using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class TcpAcceptorTests : IDisposable
{
    private static readonly IPEndPoint AnyPort = new(IPAddress.Loopback, 0);
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly AcceptRecorder _recorder = new();
    private readonly List<IDisposable> _owned = [];

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void One_connection_past_the_limit_is_closed_at_once_and_counted(bool isBlocking)
    {
        var cut = Listen(isBlocking, new TcpSettings { MaxConnections = 1 });
        var refused = ConnectionCounters.Refused;
        using var first = Dial(cut);
        var accepted = _recorder.Next();

        using var second = Dial(cut);
        var (peer, limit) = _recorder.NextRefused();
        var isEnd = second.Receive(new byte[1]) == 0;
        accepted.Dispose();
        using var third = DialUntilAccepted(cut);

        limit.Should().Be(1);
        peer.Should().Be(PeerIdentity.From((IPEndPoint)second.LocalEndPoint!));
        isEnd.Should().BeTrue();
        ConnectionCounters.Refused.Should().BeGreaterThan(refused);
    }

    [Fact]
    public void A_connection_that_the_receiver_cannot_take_is_closed_and_not_counted()
    {
        _recorder.FailsOnNext = true;
        var cut = Listen(false, new TcpSettings { MaxConnections = 1 });

        using var first = Dial(cut);
        var isEnd = first.Receive(new byte[1]) == 0;
        using var second = Dial(cut);

        isEnd.Should().BeTrue();
        _recorder.Next().Peer.Should().Be(PeerIdentity.From((IPEndPoint)second.LocalEndPoint!));
        _recorder.Failed.Should().Equal(SocketError.TooManyOpenSockets);
    }

    [Fact]
    public void One_address_cannot_take_all_connections()
    {
        var cut = Listen(false, new TcpSettings { MaxConnections = 2 });
        using var first = Dial(cut);
        _recorder.Next();
        using var second = Dial(cut);
        _recorder.NextRefused();

        using var other = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        other.Bind(new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0));
        other.Connect(cut.LocalEndPoint);

        _recorder.Next().Peer.Should().Be(PeerIdentity.From((IPEndPoint)other.LocalEndPoint!));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Ends_and_frees_its_port(bool isBlocking)
    {
        var cut = Listen(isBlocking, new TcpSettings());
        using (Dial(cut)) { _recorder.Next(); }

        cut.Dispose();
        var dial = () => Dial(cut);

        dial.Should().Throw<SocketException>();
        Listen(isBlocking, new TcpSettings(), (IPEndPoint)cut.LocalEndPoint).LocalEndPoint.Should().Be(cut.LocalEndPoint);
    }

    [Fact]
    public void A_second_one_on_the_same_port_fails()
    {
        var cut = Listen(false, new TcpSettings());

        var act = () => Listen(true, new TcpSettings(), (IPEndPoint)cut.LocalEndPoint);

        act.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse);
    }

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_lack_of_descriptors_neither_ends_nor_spins_it(bool isBlocking)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs a limit that only Linux has");
        var cut = Listen(isBlocking, new TcpSettings());
        using (Dial(cut)) { _recorder.Next(); }
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        var failed = ConnectionCounters.FailedAccepts;

        var errors = new List<SocketError>();
        var start = Stopwatch.GetTimestamp();
        using (DescriptorLimit.Of(more: 0))
        {
            client.Connect(cut.LocalEndPoint);
            while (errors.Count < 2 && _recorder.Failed.TryTake(out var error, Patience)) { errors.Add(error); }
        }
        var most = 20 + (Stopwatch.GetElapsedTime(start) / TimeSpan.FromMilliseconds(100));

        var accepted = _recorder.Next();
        errors.Should().Equal(SocketError.TooManyOpenSockets, SocketError.TooManyOpenSockets);
        ConnectionCounters.FailedAccepts.Should().BeGreaterThanOrEqualTo(failed + 2);
        _recorder.Failed.Count.Should().BeLessThan((int)most, "it tries again every 100 ms");
        accepted.Peer.Should().Be(PeerIdentity.From((IPEndPoint)client.LocalEndPoint!));
    }

    public void Dispose()
    {
        foreach (var owned in _owned) { owned.Dispose(); }
        _recorder.Dispose();
    }

    private static Socket Dial(TcpAcceptor acceptor)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        socket.ReceiveTimeout = (int)Patience.TotalMilliseconds;
        socket.Connect(acceptor.LocalEndPoint);
        return socket;
    }

    // The count of a blocking connection ends with its thread, so the first attempts may still be refused.
    private Socket DialUntilAccepted(TcpAcceptor acceptor)
    {
        for (var start = Stopwatch.GetTimestamp(); ;)
        {
            var socket = Dial(acceptor);
            if (_recorder.IsNextAccepted()) { return socket; }
            socket.Dispose();
            Stopwatch.GetElapsedTime(start).Should().BeLessThan(Patience);
        }
    }

    private TcpAcceptor Listen(bool isBlocking, TcpSettings settings, IPEndPoint? local = null)
    {
        var limits = ServerLimits.Of(settings, isBlocking);
        var acceptor = new TcpAcceptor(local ?? AnyPort, false, settings, limits, _recorder) { IsBlocking = isBlocking };
        _owned.Add(acceptor);
        acceptor.Start();
        return acceptor;
    }
}
