using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>What connections over a socket whose calls never wait have in common: who is at its ends, the first error, and the end.</summary>
internal abstract class SocketConnection
{
    private readonly ConnectionLimits? _limits;
    private SocketException? _error;
    private int _isDisposed;

    /// <param name="socket">Connected; the connection's own from now on.</param>
    /// <param name="limits">Where the connection was counted, to be told of its end.</param>
    protected SocketConnection(Socket socket, ConnectionLimits? limits)
    {
        socket.Blocking = false;
        (Socket, _limits) = (socket, limits);
        Peer = SocketAddresses.PeerOf(socket);
    }

    public PeerIdentity Peer { get; }

    /// <summary>Our side; looked up for whoever asks, since its channel keeps it.</summary>
    public PeerIdentity Local => SocketAddresses.LocalOf(Socket);

    public Exception? Error => Volatile.Read(ref _error);

    protected Socket Socket { get; }

    /// <summary>Who is told.</summary>
    protected IStreamEvents? Events { get; private set; }

    protected bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    public void Attach(IStreamEvents events) => Events = events;

    public void EndSending()
    {
        if (!IsDisposed) { Shutdown(SocketShutdown.Send); }
    }

    /// <summary>Sends as much as there is room for.</summary>
    protected StreamOutcome TrySend(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        count = Socket.Send(bytes, SocketFlags.None, out var error);
        return error switch
        {
            SocketError.Success => StreamOutcome.Done,
            SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable => StreamOutcome.WouldBlock,
            _ => Fail(error),
        };
    }

    /// <summary>Keeps the first error.</summary>
    protected StreamOutcome Fail(SocketError error)
    {
        Interlocked.CompareExchange(ref _error, new SocketException((int)error), null);
        return StreamOutcome.Failed;
    }

    /// <summary>Whether the caller is the first to dispose of the connection, and has to do it.</summary>
    protected bool TryBeginToDispose() => Interlocked.Exchange(ref _isDisposed, 1) == 0;

    /// <summary>Ends both directions, closes the socket and leaves the count.</summary>
    protected void Close()
    {
        // A socket that is closed under an awaited read answers the peer with a reset instead of an end. One that is broken has nobody to
        // answer, and asking for it would cost an exception.
        if (Error is null) { Shutdown(SocketShutdown.Both); }
        Socket.Dispose();
        _limits?.Leave(Peer);
    }

    private void Shutdown(SocketShutdown direction)
    {
        try
        {
            Socket.Shutdown(direction);
        }
        catch (SocketException exception)
        {
            Fail(exception.SocketErrorCode);
        }
    }
}
