using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Accepts connections on its own thread. Each connection has its own thread too.</summary>
internal sealed class TcpBlockingAcceptor : TcpAcceptor
{
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(1);

    private readonly ManualResetEventSlim _end = new();
    private readonly Thread _thread;

    public TcpBlockingAcceptor(EndPoint local, bool isDual, TcpSettings settings, ConnectionLimits limits, ITcpAcceptorEvents events)
        : base(local, isDual, settings, limits, events) =>
        _thread = new Thread(Accept, settings.ConnectionStackSize) { IsBackground = true, Name = "CoAP acceptor" };

    public override void Start() => _thread.Start();

    public override void Dispose()
    {
        _end.Set();
        base.Dispose();
        if (_thread.IsAlive && Thread.CurrentThread != _thread) { _thread.Join(EndTimeout); }
    }

    protected override IStreamConnection Connect(Socket socket) => new TcpBlockingConnection(socket, Settings, Limits);

    // On its own thread, so that a slow client does not delay the others.
    protected override void Secure(Socket socket, TlsServerHandshake tls, PeerIdentity peer)
    {
        try
        {
            new Thread(() => SecureOnThread(socket, tls, peer), Settings.ConnectionStackSize) { IsBackground = true, Name = "CoAP handshake" }.Start();
        }
        catch (OutOfMemoryException exception)
        {
            tls.End();
            Abandon(socket, peer, exception);
        }
    }

    private void SecureOnThread(Socket socket, TlsServerHandshake tls, PeerIdentity peer)
    {
        try
        {
            var secured = tls.Run(new NetworkStream(socket, ownsSocket: true), peer);
            Events.OnAccepted(new TcpBlockingConnection(socket, Settings, Limits, secured));
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException)
        {
            Abandon(socket, peer, exception);
        }
    }

    private void Accept()
    {
        while (!IsDisposed)
        {
            try
            {
                Admit(Socket.Accept());
            }
            catch (SocketException exception)
            {
                if (!IsDisposed && MustWait(exception.SocketErrorCode)) { _end.Wait(RetryDelay); }
            }
            catch (ObjectDisposedException)
            {
                return;
            }
        }
    }
}
