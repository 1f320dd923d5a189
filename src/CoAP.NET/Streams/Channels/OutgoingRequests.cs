using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>Our requests on a connection: those in progress, and those that wait for the peer's CSM or for room in the output.</summary>
/// <remarks>Other users of the connection, such as observations, are registered here too. They keep it open.</remarks>
internal sealed class OutgoingRequests(
    ExchangeLane lane, StreamSettings settings, SignalingMachine machine, StreamOutput output, StreamLifetime lifetime, PeerCapabilities capabilities)
{
    private const string Released = "it was released (RFC 8323, section 5.5)";

    private const long Waiting = long.MaxValue;

    // With the position in the output from which the request was sent.
    private Dictionary<ClientExchange, long>? _exchanges;
    private List<ClientExchange>? _awaitingCsm;
    private List<ClientExchange>? _awaitingRoom;
    private List<ClientCall>? _awaitingLimits;
    private HashSet<Action<Exception>>? _users;

    /// <summary>The users of the connection. The array stays the same while users come and go.</summary>
    public Action<Exception>[] Users => _users?.ToArray() ?? [];

    private int MaxWaiting => lane.Settings.MaxQueuedRequests;

    private bool HasEnded => lifetime.HasEnded || !machine.MayStartRequests;

    /// <summary>Runs the call again when the peer's CSM has arrived, or fails it.</summary>
    public void AwaitLimits(ClientCall call)
    {
        if (lifetime.Reason is { } reason) { call.Fail(lifetime.ToError(reason, isUnsent: true)); }
        else if ((_awaitingLimits ??= []).Count < MaxWaiting) { _awaitingLimits.Add(call); }
        else { call.Fail(NoCsm(_awaitingLimits.Count)); }
    }

    /// <summary>Sends the request over the connection, now or when the peer allows it, or fails it.</summary>
    public void Submit(ClientExchange exchange, IFrameLink link)
    {
        if (lifetime.Reason is { } reason)
        {
            exchange.Fail(lifetime.ToError(reason, isUnsent: true));
            return;
        }
        if (lifetime.HasPeerEnded || !machine.MayStartRequests)
        {
            exchange.Fail(lifetime.ToError(lifetime.HasPeerEnded ? lifetime.PeerEndReason : Released, isUnsent: true));
            return;
        }
        var size = MessageLimits.SizeOf(exchange.Options, exchange.Payload.Length, isReliable: true);
        switch (machine.CanSend(size))
        {
            case SendVerdict.Now:
                StartOrWait(exchange, link, size);
                break;
            case SendVerdict.WaitForCsm when (_awaitingCsm ??= []).Count < MaxWaiting:
                (_exchanges ??= [])[exchange] = Waiting;
                _awaitingCsm.Add(exchange);
                exchange.ResubmitAt();
                break;
            case SendVerdict.WaitForCsm:
                exchange.Fail(NoCsm(_awaitingCsm!.Count));
                break;
            default:
                exchange.Fail(new CoapTransportException(capabilities.DescribeTooLarge(size)));
                break;
        }
    }

    /// <summary>Sends a request for which no state is kept, or fails it (RFC 8974, section 3).</summary>
    public void Send(UntrackedRequest request, IFrameLink link)
    {
        if (lifetime.Reason is { } reason) { request.Fail(lifetime.ToError(reason, isUnsent: true)); }
        else if (HasEnded || machine.CanSend(request.Size) != SendVerdict.Now)
        {
            request.Fail(lifetime.ToError(lifetime.PeerEndReason, isUnsent: true));
        }
        else if (!HasRoom(request.Size)) { request.Fail(NoRoom()); }
        else { request.Admit(default, link); }
    }

    /// <summary>Continues the requests that waited for the peer's CSM.</summary>
    public void OnCapabilities(IFrameLink link)
    {
        var (waiting, calls) = (_awaitingCsm, _awaitingLimits);
        (_awaitingCsm, _awaitingLimits) = (null, null);
        foreach (var exchange in waiting ?? [])
        {
            _exchanges?.Remove(exchange);
            Submit(exchange, link);
        }
        foreach (var call in calls ?? []) { call.Run(); }
        OnRoom(link);
    }

    /// <summary>Starts requests that wait for room, in order, while there is room.</summary>
    public void OnRoom(IFrameLink link)
    {
        while (_awaitingRoom is { Count: > 0 } waiting)
        {
            var exchange = waiting[0];
            var size = MessageLimits.SizeOf(exchange.Options, exchange.Payload.Length, isReliable: true);
            var verdict = machine.CanSend(size);
            if (verdict == SendVerdict.Now && !HasEnded && !HasRoom(size)) { return; }
            waiting.RemoveAt(0);
            _exchanges?.Remove(exchange);
            if (HasEnded) { exchange.Fail(lifetime.ToError(lifetime.Reason ?? Released, isUnsent: true)); }
            else if (verdict == SendVerdict.Now) { StartOrRefuse(exchange, link, size); }
            else { exchange.Fail(new CoapTransportException(capabilities.DescribeTooLarge(size))); }
        }
    }

    /// <summary>Removes an exchange that has ended; returns whether its request was in progress.</summary>
    public bool TryFinish(ClientExchange exchange)
    {
        if (IsLarge(exchange) && exchange.Message is { } message && output.Find(message) is { } piece) { output.TryWithdraw(piece); }
        return _exchanges?.Remove(exchange) == true && _awaitingCsm?.Remove(exchange) != true && _awaitingRoom?.Remove(exchange) != true;
    }

    /// <summary>Adds a user of the connection, which keeps it open.</summary>
    public void AddUser(Action<Exception> onEnded)
    {
        if (!HasEnded && (_users ??= []).Add(onEnded)) { machine.CallStarted(); }
    }

    /// <summary>Removes a user of the connection; returns <see langword="false"/> if it is not one.</summary>
    public bool TryRemoveUser(Action<Exception> onEnded) => _users?.Remove(onEnded) == true;

    /// <summary>Fails all requests.</summary>
    public void FailAll(string reason)
    {
        var (failing, calls) = (_exchanges, _awaitingLimits);
        (_awaitingCsm, _awaitingRoom, _exchanges, _awaitingLimits) = (null, null, null, null);
        foreach (var (exchange, position) in failing ?? []) { exchange.Fail(lifetime.ToError(reason, IsUnsent(position))); }
        foreach (var call in calls ?? []) { call.Fail(lifetime.ToError(reason, isUnsent: true)); }
    }

    // The output of a connection that is not closed yet may still be sent.
    private bool IsUnsent(long position) => position == Waiting || (lifetime.State == StreamState.Closed && output.IsUnsent(position));

    private void Start(ClientExchange exchange, IFrameLink link)
    {
        (_exchanges ??= [])[exchange] = output.Position;
        machine.CallStarted();
        exchange.Admit(default, link);
    }

    private void StartOrWait(ClientExchange exchange, IFrameLink link, long size)
    {
        if (_awaitingRoom is not { Count: > 0 } && HasRoom(size)) { StartOrRefuse(exchange, link, size); }
        else if ((_awaitingRoom ??= []).Count < MaxWaiting)
        {
            (_exchanges ??= [])[exchange] = Waiting;
            _awaitingRoom.Add(exchange);
            exchange.ResubmitAt();
        }
        else { exchange.Fail(NoRoom()); }
    }

    private void StartOrRefuse(ClientExchange exchange, IFrameLink link, long size)
    {
        var others = output.LargeRequests;
        if (!IsLarge(exchange) || others.HasRoomFor(size)) { Start(exchange, link); }
        else
        {
            exchange.Fail(new CoapBusyException(
                $"The request is {size} bytes, and {others.Used} bytes of large requests are unsent on all connections; at most {others.Limit} are "
                + "allowed (MaxInFlightSize)."));
        }
    }

    private bool HasRoom(long size) => output.Unsent is var unsent && (unsent == 0 || unsent + size <= settings.MaxUnsentSize);

    private bool IsLarge(ClientExchange exchange) => exchange.Payload.Length >= settings.LargeMessageSize;

    private CoapBusyException NoRoom() => new(
        $"{output.Unsent} bytes to {capabilities.Peer} are unsent; at most {settings.MaxUnsentSize} are allowed (StreamSettings.MaxUnsentSize). "
        + $"{_awaitingRoom?.Count ?? 0} requests wait; at most {MaxWaiting} may wait (MaxQueuedRequests).");

    private CoapBusyException NoCsm(int count) =>
        new($"{count} requests wait for the CSM of {capabilities.Peer}; no more may wait (MaxQueuedRequests).");
}
