using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The common part of all connections over a socket: the identities at its ends, the first error, and the end.</summary>
internal abstract class SocketConnection
{
    private readonly ConnectionPlace? _place;
    private SocketException? _error;
    private int _isDisposed;

    /// <param name="socket">A connected socket. The connection owns it from now on.</param>
    /// <param name="place">The place of the connection within the limit. It is released when the connection ends.</param>
    /// <param name="isBlocking">Whether calls to the socket wait.</param>
    protected SocketConnection(Socket socket, ConnectionPlace? place, bool isBlocking = false)
    {
        if (!isBlocking) { socket.Blocking = false; }
        (Socket, _place, IsBlocking) = (socket, place, isBlocking);
        Peer = SocketAddresses.PeerOf(socket);
    }

    public PeerIdentity Peer { get; }

    /// <summary>The local side. It is read from the socket each time, because the channel keeps it.</summary>
    public PeerIdentity Local => SocketAddresses.LocalOf(Socket);

    public bool IsBlocking { get; }

    public Exception? Error => Volatile.Read(ref _error);

    protected Socket Socket { get; }

    /// <summary>The receiver of the events.</summary>
    protected IStreamEvents? Events { get; private set; }

    protected bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    public void Attach(IStreamEvents events) => Events = events;

    public virtual void EndSending()
    {
        if (!IsDisposed) { Shutdown(SocketShutdown.Send); }
    }

    /// <summary>Sends as many bytes as the socket accepts without waiting.</summary>
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

    /// <summary>Marks the connection as disposed. Returns <see langword="true"/> to the first caller, which must close it.</summary>
    protected bool TryBeginDispose() => Interlocked.Exchange(ref _isDisposed, 1) == 0;

    /// <summary>Ends both directions and releases the socket.</summary>
    protected void Close()
    {
        // Closing a socket during an awaited read sends the peer a reset instead of an orderly end. A broken connection has no peer to inform, and
        // the attempt would cost an exception.
        if (Error is null) { Shutdown(SocketShutdown.Both); }
        Release();
    }

    /// <summary>Closes the socket and ends its count.</summary>
    protected void Release()
    {
        Socket.Dispose();
        _place?.Leave();
    }

    protected void Shutdown(SocketShutdown direction)
    {
        try
        {
            Socket.Shutdown(direction);
        }
        catch (SocketException exception)
        {
            Fail(exception.SocketErrorCode);
        }
        catch (ObjectDisposedException)
        {
            // Another thread has closed the socket.
        }
    }
}
