using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>The requests of ours on a connection: those under way, those that wait for the peer's first message or for room, and the guests who keep it open.</summary>
internal sealed class StreamRequests(StreamChannel channel, SignalingMachine signaling, StreamOutput output, StreamEnd end)
{
    private const string Released = "it was released (RFC 8323, section 5.5)";

    private static readonly List<ClientExchange> NoExchanges = [];
    private static readonly List<ClientCall> NoCalls = [];

    private HashSet<ClientExchange>? _exchanges;
    private List<ClientExchange>? _awaitCsm;
    private List<ClientExchange>? _awaitRoom;
    private List<ClientCall>? _awaitLimits;
    private HashSet<IChannelUser>? _guests;

    private int MaxWaiting => channel.Lane.Settings.MaxQueuedRequests;

    private StreamSettings Settings => channel.Settings;

    public static long SizeOf(ReadOnlyMemory<byte> payload, in OptionSet options) =>
        MessageLimits.SizeOf(options.Wire.Length, payload.Length, isReliable: true);

    /// <summary>Runs the call again when the peer's first message is there, or fails it.</summary>
    public void AwaitLimits(ClientCall call)
    {
        if (end.Reason is { } reason) { call.Fail(end.ToError(reason, isUnsent: true)); }
        else if ((_awaitLimits ??= []).Count < MaxWaiting) { _awaitLimits.Add(call); }
        else { call.Fail(NoFirstMessage(_awaitLimits.Count)); }
    }

    /// <summary>Sends the request now or when it may be, or fails it.</summary>
    public void Submit(ClientExchange exchange)
    {
        if (end.Reason is { } reason)
        {
            exchange.Fail(end.ToError(reason, isUnsent: true));
            return;
        }
        if (end.HasPeerEnded || !signaling.MayStartRequests)
        {
            exchange.Fail(end.ToError(end.HasPeerEnded ? end.ByPeer : Released, isUnsent: true));
            return;
        }
        var size = SizeOf(exchange.Payload, exchange.Options);
        switch (signaling.CanSend(size))
        {
            case SendVerdict.Now:
                StartOrWait(exchange, size);
                break;
            case SendVerdict.WaitForCsm when (_awaitCsm ??= []).Count < MaxWaiting:
                (_exchanges ??= []).Add(exchange);
                _awaitCsm.Add(exchange);
                break;
            case SendVerdict.WaitForCsm:
                exchange.Fail(NoFirstMessage(_awaitCsm!.Count));
                break;
            default:
                exchange.Fail(new CoapTransportException(channel.TooLarge(size)));
                break;
        }
    }

    /// <summary>Sends a request of which nothing is kept, or fails it (RFC 8974, section 3).</summary>
    public void Send(UntrackedRequest request)
    {
        if (end.Reason is { } reason) { request.Fail(end.ToError(reason, isUnsent: true)); }
        else if (channel.HasEnded || signaling.CanSend(request.Size) != SendVerdict.Now) { request.Fail(end.ToError(end.ByPeer, isUnsent: true)); }
        else if (!HasRoom(request.Size)) { request.Fail(NoRoom()); }
        else { request.Send(default, channel); }
    }

    /// <summary>The peer's first message is there: what waited for it goes on.</summary>
    public void OnCapabilities()
    {
        var (waiting, calls) = (_awaitCsm, _awaitLimits);
        (_awaitCsm, _awaitLimits) = (null, null);
        foreach (var exchange in waiting ?? NoExchanges)
        {
            _exchanges?.Remove(exchange);
            Submit(exchange);
        }
        foreach (var call in calls ?? NoCalls) { call.Run(); }
        OnRoom();
    }

    /// <summary>Starts what waits for room, in order, as far as there is some.</summary>
    public void OnRoom()
    {
        while (_awaitRoom is { Count: > 0 } waiting)
        {
            var exchange = waiting[0];
            var size = SizeOf(exchange.Payload, exchange.Options);
            var verdict = signaling.CanSend(size);
            if (verdict == SendVerdict.Now && !channel.HasEnded && !HasRoom(size)) { return; }
            waiting.RemoveAt(0);
            _exchanges?.Remove(exchange);
            if (channel.HasEnded) { exchange.Fail(end.ToError(end.Reason ?? Released, isUnsent: true)); }
            else if (verdict == SendVerdict.Now) { StartOrRefuse(exchange, size); }
            else { exchange.Fail(new CoapTransportException(channel.TooLarge(size))); }
        }
    }

    /// <summary>The exchange has ended; whether it was under way.</summary>
    public bool TryFinish(ClientExchange exchange)
    {
        if (IsLarge(exchange) && exchange.Message is { } message && output.Find(message) is { } piece) { output.TryWithdraw(piece); }
        return _exchanges?.Remove(exchange) == true && _awaitCsm?.Remove(exchange) != true && _awaitRoom?.Remove(exchange) != true;
    }

    /// <summary>Somebody keeps the connection open.</summary>
    public void Hold(IChannelUser guest)
    {
        if (!channel.HasEnded && (_guests ??= []).Add(guest)) { signaling.CallStarted(); }
    }

    /// <summary>Somebody does so no longer; whether they did.</summary>
    public bool TryLetGo(IChannelUser guest) => _guests?.Remove(guest) == true;

    /// <summary>Nothing comes back for any of them.</summary>
    public void FailAll()
    {
        var (failing, calls) = (_exchanges, _awaitLimits);
        (_awaitCsm, _awaitRoom, _exchanges, _awaitLimits) = (null, null, null, null);
        if (failing is not null)
        {
            foreach (var exchange in failing) { exchange.Fail(end.ToError(end.Reason ?? end.ByPeer, isUnsent: false)); }
        }
        foreach (var call in calls ?? NoCalls) { call.Fail(end.ToError(end.Reason ?? end.ByPeer, isUnsent: true)); }
        AskGuestsToLeave(end.Reason ?? end.ByPeer);
    }

    /// <summary>Has them go, who would keep a released connection open until the peer loses its patience.</summary>
    public void AskGuestsToLeave(string reason)
    {
        if (_guests is null) { return; }
        IChannelUser[] leaving = [.. _guests];
        foreach (var guest in leaving)
        {
            channel.RemoveUser(guest);
            guest.OnChannelEnded(end.ToError(reason, isUnsent: false));
        }
    }

    private void Start(ClientExchange exchange)
    {
        (_exchanges ??= []).Add(exchange);
        signaling.CallStarted();
        exchange.StartReliable(channel);
    }

    private void StartOrWait(ClientExchange exchange, long size)
    {
        if (_awaitRoom is not { Count: > 0 } && HasRoom(size)) { StartOrRefuse(exchange, size); }
        else if ((_awaitRoom ??= []).Count < MaxWaiting)
        {
            (_exchanges ??= []).Add(exchange);
            _awaitRoom.Add(exchange);
        }
        else { exchange.Fail(NoRoom()); }
    }

    private void StartOrRefuse(ClientExchange exchange, long size)
    {
        var budget = output.Budget;
        if (!IsLarge(exchange) || budget.HasRoomFor(size)) { Start(exchange); }
        else
        {
            exchange.Fail(new CoapBusyException(
                $"The request is {size} bytes, and {budget.Used} are in flight on all connections; {budget.Limit} may be (MaxInFlightSize)."));
        }
    }

    private bool HasRoom(long size) => output.Unsent is var unsent && (unsent == 0 || unsent + size <= Settings.MaxUnsentSize);

    private bool IsLarge(ClientExchange exchange) => exchange.Payload.Length >= Settings.LargeMessageSize;

    private CoapBusyException NoRoom() => new(
        $"{output.Unsent} bytes wait for {channel.Peer}; {Settings.MaxUnsentSize} may (StreamSettings.MaxUnsentSize), and {_awaitRoom?.Count ?? 0} requests behind them "
        + $"(MaxQueuedRequests is {MaxWaiting}).");

    private CoapBusyException NoFirstMessage(int count) => new($"{count} requests wait already for the first message of {channel.Peer}.");
}
