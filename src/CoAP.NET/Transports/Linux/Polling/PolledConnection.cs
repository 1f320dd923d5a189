using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>A connection that a lane polls with its <see cref="ConnectionPoller"/>. Its calls never wait, and it holds no buffer.</summary>
/// <remarks>
/// The poller reports changes only, so a reported state is kept until a call shows otherwise. A read that does not fill its buffer has taken all
/// bytes, and later bytes are a new change. There are two exceptions. After the peer's end no change follows, so the socket stays readable until
/// the end is read. A read stops at urgent data, so after urgent data only a read without bytes ends the readable state.
/// </remarks>
/// <param name="socket">A connected socket. The connection owns it from now on.</param>
/// <param name="place">The place of the connection within the limit. It is released when the connection ends.</param>
internal sealed class PolledConnection(Socket socket, ConnectionPlace? place = null) : SocketConnection(socket, place), IStreamConnection
{
    private ConnectionPoller? _poller;
    private ReadOnlyMemory<byte> _rest;
    private bool _isReadable = true;
    private bool _isWritable = true;
    private bool _hasEnd;
    private bool _hasUrgent;
    private bool _isReceiveArmed;
    private bool _isSendArmed;
    private bool _isQueued;

    public bool RaisesEventsOnLane => true;

    private bool CanContinueSending => _isSendArmed && (_isWritable || Error is not null || IsDisposed);

    private bool CanContinueReceiving => _isReceiveArmed && (_isReadable || Error is not null) && !IsDisposed;

    /// <summary>The key of the connection in its poller.</summary>
    public ulong Key { get; set; }

    public void Join(ConnectionPoller poller)
    {
        if (IsDisposed) { return; }
        _poller = poller;
        var error = poller.Add(this, Socket.SafeHandle);
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
        if (_isReadable || Error is not null) { Enqueue(); }
    }

    public void ArmSend(ReadOnlyMemory<byte> rest)
    {
        (_rest, _isSendArmed) = (rest, true);
        if (_isWritable || Error is not null) { Enqueue(); }
    }

    /// <summary>Updates the state with the events that the poller found.</summary>
    public void Update(uint events)
    {
        const uint End = EpollCalls.PeerEnded | EpollCalls.HungUp | EpollCalls.Failed;
        _hasEnd |= (events & End) != 0;
        _hasUrgent |= (events & EpollCalls.Urgent) != 0;
        _isReadable |= (events & (EpollCalls.Readable | End)) != 0;
        _isWritable |= (events & (EpollCalls.Writable | EpollCalls.HungUp | EpollCalls.Failed)) != 0;
    }

    /// <summary>Called when the poller takes the connection from its queue.</summary>
    public void OnDequeued() => _isQueued = false;

    /// <summary>Reports that armed operations can continue, if there are any.</summary>
    public void AnnounceReady()
    {
        if (CanContinueSending || CanContinueReceiving) { Events!.OnReady(); }
    }

    /// <summary>Raises the events of armed operations that can continue.</summary>
    public void RaiseEvents()
    {
        if (CanContinueSending) { ContinueSending(); }
        if (!CanContinueReceiving) { return; }
        _isReceiveArmed = false;
        Events!.OnReadable();
    }

    public void Dispose()
    {
        if (!TryBeginDispose()) { return; }
        _poller?.Remove(this);
        Close();
        if (_isSendArmed)
        {
            Fail(SocketError.OperationAborted);
            Enqueue();
        }
    }

    private void Enqueue()
    {
        if (_isQueued || _poller is null) { return; }
        _isQueued = true;
        _poller.Enqueue(this);
    }

    private void ContinueSending()
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
