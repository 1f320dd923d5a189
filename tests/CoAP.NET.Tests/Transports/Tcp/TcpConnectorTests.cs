using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class TcpConnectorTests : IDisposable
{
    private readonly Socket _listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly List<Socket> _fillers = [];

    public TcpConnectorTests() => _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    private IPEndPoint EndPoint => (IPEndPoint)_listener.LocalEndPoint!;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Says_that_the_peer_refuses(bool isBlocking)
    {
        var act = () => ConnectAsync(isBlocking, new TcpSettings(), CancellationToken.None);

        (await act.Should().ThrowAsync<SocketException>()).Which.SocketErrorCode.Should().Be(SocketError.ConnectionRefused);
    }

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Gives_up_after_the_time_out(bool isBlocking)
    {
        FillBacklog();
        var settings = new TcpSettings { ConnectTimeout = TimeSpan.FromMilliseconds(200) };

        var start = Stopwatch.GetTimestamp();
        var act = () => ConnectAsync(isBlocking, settings, CancellationToken.None);

        (await act.Should().ThrowAsync<SocketException>()).Which.SocketErrorCode.Should().Be(SocketError.TimedOut);
        Stopwatch.GetElapsedTime(start).Should().BeLessThan(TimeSpan.FromMinutes(1), "the system itself gives up after two minutes");
    }

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Gives_up_when_the_token_is_canceled(bool isBlocking)
    {
        FillBacklog();
        using var cancellation = new CancellationTokenSource(TimeSpan.FromMilliseconds(200));

        var act = () => ConnectAsync(isBlocking, new TcpSettings(), cancellation.Token);

        await act.Should().ThrowAsync<OperationCanceledException>();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Opens_a_connection_of_the_requested_form(bool isBlocking)
    {
        _listener.Listen();
        using var cut = await ConnectAsync(isBlocking, new TcpSettings(), CancellationToken.None);
        using var peer = await _listener.AcceptAsync();

        cut.Send(new byte[] { 1 }, out _).Should().Be(StreamOutcome.Done);

        (await peer.ReceiveAsync(new byte[2])).Should().Be(1);
        cut.IsBlocking.Should().Be(isBlocking);
    }

    [Fact]
    public void Sockets_send_without_delay_and_check_the_peer_as_set()
    {
        TcpConnector.Prepare(_listener, new TcpSettings { KeepAlive = TimeSpan.FromMinutes(2) });

        _listener.NoDelay.Should().BeTrue();
        _listener.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive).Should().Be(1);
        _listener.GetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime).Should().Be(120);
    }

    public void Dispose()
    {
        _listener.Dispose();
        foreach (var filler in _fillers) { filler.Dispose(); }
    }

    private async Task<IStreamConnection> ConnectAsync(bool isBlocking, TcpSettings settings, CancellationToken cancellationToken)
    {
        var connecting = TcpConnector.ConnectAsync(EndPoint, settings, isBlocking, cancellationToken);
        if (isBlocking) { connecting.IsCompleted.Should().BeTrue(); }
        var socket = await connecting;
        return isBlocking ? new TcpBlockingConnection(socket, settings) : new TcpConnection(socket);
    }

    // On Linux, further attempts wait without an answer while the backlog is full.
    private void FillBacklog()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs a backlog that does not answer when it is full");
        _listener.Listen(1);
        for (var count = 0; count < 3; count++)
        {
            var filler = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { Blocking = false };
            _fillers.Add(filler);
            _ = filler.ConnectAsync(EndPoint);
        }
    }
}
