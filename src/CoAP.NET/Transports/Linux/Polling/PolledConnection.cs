using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A connection over a socket whose calls never wait, and whose changes a lane's <see cref="PolledConnections"/> tells. It holds no buffer.</summary>
/// <remarks>
/// The system tells changes only. So what it told is kept until a call finds otherwise: a read that fills less than its buffer has taken
/// everything, and whatever comes later is a change again. After the peer's end there is none, so then only the end itself counts; and a
/// read stops at urgent data, so where there was some only a read that finds nothing does.
/// </remarks>
internal sealed class PolledConnection : SocketConnection, IStreamConnection
{
    private PolledConnections? _set;
    private ReadOnlyMemory<byte> _rest;
    private bool _isReadable = true;
    private bool _isWritable = true;
    private bool _hasEnd;
    private bool _hasUrgent;
    private bool _isReceiveArmed;
    private bool _isSendArmed;
    private bool _isLookedAtAgain;

    /// <inheritdoc/>
    public PolledConnection(Socket socket, ConnectionLimits? limits = null)
        : base(socket, limits)
    {
    }

    public bool IsBlocking => false;

    public bool IsToldOnLane => true;

    /// <summary>Its name in the set.</summary>
    public ulong Key { get; set; }

    /// <summary>Joins the lane that will serve it; once, on the lane, before anything is armed.</summary>
    public void Join(PolledConnections set)
    {
        if (IsDisposed) { return; }
        _set = set;
        var error = set.Add(this, Socket.SafeHandle);
        if (error is not SocketError.Success) { Fail(error); }
    }

    public StreamOutcome Receive(Span<byte> buffer, out int count)
    {
        count = 0;
        if (IsDisposed || Error is not null) { return StreamOutcome.Failed; }
        count = Socket.Receive(buffer, SocketFlags.None, out var error);
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
        var outcome = TrySend(bytes, out count);
        if (outcome is not StreamOutcome.Failed) { _isWritable = outcome is StreamOutcome.Done && count == bytes.Length; }
        return outcome;
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
        Events!.OnReadable();
    }

    public void Dispose()
    {
        if (!TryBeginToDispose()) { return; }
        _set?.Remove(this);
        Close();
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
        Events!.OnWritable();
    }
}
