using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A connection over a socket whose calls never wait, and whose changes a lane's <see cref="PolledConnections"/> tells. It holds no buffer.</summary>
/// <remarks>
/// The system tells changes only. So what it told is kept until a call finds otherwise: a read that fills less than its buffer has taken
/// everything, and whatever comes later is a change again. After the peer's end there is none, so then only the end itself counts; and a
/// read stops at urgent data, so where there was some only a read that finds nothing does.
/// </remarks>
internal sealed class PolledConnection : IStreamConnection
{
    private readonly Socket _socket;
    private readonly TcpConnectionLimits? _limits;
    private PolledConnections? _set;
    private IStreamEvents? _events;
    private SocketException? _error;
    private ReadOnlyMemory<byte> _rest;
    private bool _isReadable = true;
    private bool _isWritable = true;
    private bool _hasEnd;
    private bool _hasUrgent;
    private bool _isReceiveArmed;
    private bool _isSendArmed;
    private bool _isLookedAtAgain;
    private int _isDisposed;

    /// <param name="socket">Connected; the connection's own from now on.</param>
    /// <param name="limits">Where the connection was counted, to be told of its end.</param>
    public PolledConnection(Socket socket, TcpConnectionLimits? limits = null)
    {
        socket.Blocking = false;
        (_socket, _limits) = (socket, limits);
        Peer = SocketAddresses.PeerOf(socket);
    }

    public PeerIdentity Peer { get; }

    /// <summary>Our side; looked up for whoever asks, since its channel keeps it.</summary>
    public PeerIdentity Local => SocketAddresses.LocalOf(_socket);

    public bool IsBlocking => false;

    public bool IsToldOnLane => true;

    public Exception? Error => Volatile.Read(ref _error);

    /// <summary>Its name in the set.</summary>
    public ulong Key { get; set; }

    private bool IsDisposed => Volatile.Read(ref _isDisposed) != 0;

    public void Attach(IStreamEvents events) => _events = events;

    /// <summary>Joins the lane that will serve it; once, on the lane, before anything is armed.</summary>
    public void Join(PolledConnections set)
    {
        if (IsDisposed) { return; }
        _set = set;
        var error = set.Add(this, _socket.SafeHandle);
        if (error is not SocketError.Success) { Fail(error); }
    }

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        count = _socket.Receive(buffer, SocketFlags.None, out var error);
        if (count < buffer.Length && !_hasEnd && !(_hasUrgent && count > 0)) { _isReadable = false; }
        return error switch
        {
            SocketError.Success => count > 0 ? StreamOutcome.Done : StreamOutcome.Ended,
            SocketError.WouldBlock => StreamOutcome.WouldBlock,
            _ => Fail(error),
        };
    }

    public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        count = _socket.Send(bytes, SocketFlags.None, out var error);
        if (error is SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable)
        {
            _isWritable = false;
            return StreamOutcome.WouldBlock;
        }
        if (error is not SocketError.Success) { return Fail(error); }
        _isWritable = count == bytes.Length;
        return StreamOutcome.Done;
    }

    public void ArmReceive()
    {
        _isReceiveArmed = true;
        if (_isReadable || Error is not null) { LookAgain(); }
    }

    public void ArmSend(ReadOnlyMemory<byte> rest)
    {
        (_rest, _isSendArmed) = (rest, true);
        if (_isWritable || Error is not null) { LookAgain(); }
    }

    public void EndSending()
    {
        if (!IsDisposed) { Shutdown(SocketShutdown.Send); }
    }

    /// <summary>What the set was told.</summary>
    public void Note(uint events)
    {
        const uint End = EpollCalls.PeerEnded | EpollCalls.HungUp | EpollCalls.Failed;
        _hasEnd |= (events & End) != 0;
        _hasUrgent |= (events & EpollCalls.Urgent) != 0;
        _isReadable |= (events & (EpollCalls.Readable | End)) != 0;
        _isWritable |= (events & (EpollCalls.Writable | EpollCalls.HungUp | EpollCalls.Failed)) != 0;
    }

    /// <summary>The set is about to look at it again.</summary>
    public void NoteAgain() => _isLookedAtAgain = false;

    /// <summary>Tells what has become possible.</summary>
    public void Report()
    {
        if (_isSendArmed && (_isWritable || Error is not null || IsDisposed)) { GoOnSending(); }
        if (!_isReceiveArmed || !(_isReadable || Error is not null) || IsDisposed) { return; }
        _isReceiveArmed = false;
        _events!.OnReadable();
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0) { return; }
        _set?.Remove(this);
        // One that is broken has nobody to tell, and would answer with an exception.
        if (Error is null) { Shutdown(SocketShutdown.Both); }
        _socket.Dispose();
        _limits?.Leave(Peer);
        if (_isSendArmed)
        {
            Fail(SocketError.OperationAborted);
            LookAgain();
        }
    }

    private void LookAgain()
    {
        if (_isLookedAtAgain || _set is null) { return; }
        _isLookedAtAgain = true;
        _set.LookAgain(this);
    }

    private void GoOnSending()
    {
        while (_rest.Length > 0)
        {
            var outcome = Send(_rest.Span, out var count);
            if (outcome is StreamOutcome.Failed) { break; }
            _rest = _rest[count..];
            if (!_isWritable) { return; }
        }
        (_rest, _isSendArmed) = (default, false);
        _events!.OnWritable();
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
}
