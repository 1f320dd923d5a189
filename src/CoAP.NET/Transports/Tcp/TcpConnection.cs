using System.Net.Sockets;
using System.Runtime.InteropServices;

namespace CoAP.Transports;

/// <summary>A TCP connection whose calls never wait. While it is idle it holds no buffer.</summary>
internal sealed class TcpConnection : IStreamConnection
{
    private readonly Socket _socket;
    private readonly TcpConnectionLimits? _limits;
    private readonly Readiness _readiness;
    private Sender? _sender;
    private IStreamEvents? _events;
    private SocketException? _error;
    private int _isDisposed;

    /// <param name="socket">Connected; the connection's own from now on.</param>
    /// <param name="limits">Where the connection was counted, to be told of its end.</param>
    public TcpConnection(Socket socket, TcpConnectionLimits? limits = null)
    {
        socket.Blocking = false;
        (_socket, _limits, _readiness) = (socket, limits, new Readiness(this));
        Peer = SocketAddresses.PeerOf(socket);
    }

    public PeerIdentity Peer { get; }

    /// <summary>Our side; looked up for whoever asks, since its channel keeps it.</summary>
    public PeerIdentity Local => SocketAddresses.LocalOf(_socket);

    public bool IsBlocking => false;

    public Exception? Error => Volatile.Read(ref _error);

    private bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    public void Attach(IStreamEvents events) => _events = events;

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed) { return StreamOutcome.Failed; }
        count = _socket.Receive(buffer, SocketFlags.None, out var error);
        if (error is SocketError.WouldBlock) { return StreamOutcome.WouldBlock; }
        if (error is not SocketError.Success) { return Fail(error); }
        if (count > 0) { return StreamOutcome.Done; }

        // The system tells an error once. If the awaited read took it, what is left looks like an orderly end.
        return Error is null ? StreamOutcome.Ended : StreamOutcome.Failed;
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        count = _socket.Send(bytes, SocketFlags.None, out var error);
        return error switch
        {
            SocketError.Success => StreamOutcome.Done,
            SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable => StreamOutcome.WouldBlock,
            _ => Fail(error),
        };
    }

    public void ArmReceive() => _readiness.Start();

    public void ArmSend(ReadOnlyMemory<byte> rest) => (_sender ??= new Sender(this)).Start(rest);

    public void EndSending()
    {
        if (!IsDisposed) { Shutdown(SocketShutdown.Send); }
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) { return; }

        // A socket that is closed under an awaited read answers the peer with a reset instead of an end. One that is broken has nobody to answer,
        // and asking for it would cost an exception.
        if (Error is null) { Shutdown(SocketShutdown.Both); }
        _socket.Dispose();
        _readiness.Dispose();
        _sender?.Dispose();
        _limits?.Leave(Peer);
    }

    private void Shutdown(SocketShutdown direction)
    {
        try
        {
            _socket.Shutdown(direction);
        }
        catch (SocketException exception)
        {
            Fail(exception.SocketErrorCode);
        }
    }

    private StreamOutcome Fail(SocketError error)
    {
        Interlocked.CompareExchange(ref _error, new SocketException((int)error), null);
        return StreamOutcome.Failed;
    }

    /// <summary>A receive of no bytes, which ends as soon as there are some.</summary>
    private sealed class Readiness(TcpConnection owner) : SocketAsyncEventArgs(true)
    {
        public void Start()
        {
            try
            {
                if (owner.IsDisposed || owner._socket.ReceiveAsync(this)) { return; }
            }
            catch (ObjectDisposedException)
            {
                return;
            }

            Report();
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => Report();

        private void Report()
        {
            if (SocketError is not SocketError.Success) { owner.Fail(SocketError); }
            owner._events!.OnReadable();
        }
    }

    /// <summary>The send of what found no room. Made for the first such send only: most connections never need it.</summary>
    private sealed class Sender(TcpConnection owner) : SocketAsyncEventArgs(true)
    {
        public void Start(ReadOnlyMemory<byte> rest)
        {
            SetBuffer(MemoryMarshal.AsMemory(rest));
            GoOn(isAnswered: false);
        }

        protected override void OnCompleted(SocketAsyncEventArgs e) => GoOn(isAnswered: true);

        private void GoOn(bool isAnswered)
        {
            try
            {
                while (!isAnswered || !TryFinish())
                {
                    if (owner.IsDisposed || owner._socket.SendAsync(this)) { return; }
                    isAnswered = true;
                }
            }
            catch (ObjectDisposedException)
            {
                // The owner has ended the connection under the send: nobody catches here what leaves, and the process would end.
                owner.Fail(System.Net.Sockets.SocketError.OperationAborted);
            }

            owner._events!.OnWritable();
        }

        private bool TryFinish()
        {
            if (SocketError is not SocketError.Success) { owner.Fail(SocketError); }
            else if (BytesTransferred < Count)
            {
                SetBuffer(MemoryBuffer[BytesTransferred..]);
                return false;
            }

            SetBuffer(default);
            return true;
        }
    }
}
