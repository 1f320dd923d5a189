using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Accepts connections without holding a thread. The calls of its connections never wait.</summary>
internal sealed class TcpAsyncAcceptor(
    EndPoint local, bool isDual, TcpSettings settings, ConnectionLimits limits, ITcpAcceptorEvents events, TimeProvider timeProvider)
    : TcpAcceptor(local, isDual, settings, limits, events)
{
    private readonly CancellationTokenSource _end = new();

    /// <summary>Completes when the acceptor is disposed of.</summary>
    public Task Completion { get; private set; } = Task.CompletedTask;

    public override void Start() => Completion = AcceptAsync();

    public override void Dispose()
    {
        _end.Cancel();
        base.Dispose();
    }

    /// <summary>Whether the lane's own thread polls plain connections, instead of the socket engine of .NET.</summary>
    public bool IsPolled { get; init; }

    protected override IStreamConnection Connect(Socket socket) => IsPolled ? new PolledConnection(socket, Limits) : new TcpConnection(socket, Limits);

    protected override void Secure(Socket socket, TlsServerHandshake tls, PeerIdentity peer) => _ = SecureAsync(socket, tls, peer);

    private async Task SecureAsync(Socket socket, TlsServerHandshake tls, PeerIdentity peer)
    {
        // A client that has already sent its first message would be answered within the accept. That takes half a millisecond, and others wait.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        try
        {
            var secured = await tls.RunAsync(new NetworkStream(socket, ownsSocket: true), peer).ConfigureAwait(false);
            Events.OnAccepted(TlsConnection.Over(secured, socket, Limits));
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException)
        {
            Abandon(socket, peer, exception);
        }
    }

    private async Task AcceptAsync()
    {
        while (!IsDisposed)
        {
            try
            {
                Admit(await Socket.AcceptAsync(_end.Token).ConfigureAwait(false));
            }
            catch (SocketException exception)
            {
                if (!IsDisposed && MustWait(exception.SocketErrorCode)) { await WaitAsync().ConfigureAwait(false); }
            }
            catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
            {
                return;
            }
        }
    }

    private async Task WaitAsync()
    {
        using var timer = new PeriodicTimer(RetryDelay, timeProvider);
        using var registration = _end.Token.UnsafeRegister(static timer => ((PeriodicTimer)timer!).Dispose(), timer);
        await timer.WaitForNextTickAsync(CancellationToken.None).ConfigureAwait(false);
    }
}
