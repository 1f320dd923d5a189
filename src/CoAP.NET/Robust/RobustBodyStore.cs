using System.Diagnostics.CodeAnalysis;
using CoAP.Accounting;
using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>Holds the robust bodies that a lane receives and sends as a server. They share the limits of the bodies of RFC 7959.</summary>
internal sealed class RobustBodyStore : IPartialBodies
{
    private readonly ExchangeLane _lane;
    private readonly Dictionary<BodyKey, RobustRequestBody> _requests = [];
    private readonly Dictionary<BodyKey, RobustResponseBody> _responses = [];
    private readonly PeerIndex<RobustResponseBody> _responsesOfPeers = new();
    private readonly FinishedBodies _finished;

    public RobustBodyStore(ExchangeLane lane, ServedBodyStore bodies, RobustTransferSettings settings, TransmissionParameters transmission)
    {
        (_lane, Bodies, Settings, Transmission) = (lane, bodies, settings, transmission);
        _finished = new FinishedBodies(settings.MaxFinishedBodies);
    }

    /// <summary>The number of bodies, including finished ones that are still remembered.</summary>
    public int Count => _requests.Count + _responses.Count;

    public ServedBodyStore Bodies { get; }

    public RobustTransferSettings Settings { get; }

    public TransmissionParameters Transmission { get; }

    /// <summary>The blocks that are sent on a timer.</summary>
    public Output<OutgoingMessage> Blocks { get; } = new();

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out RobustRequestBody? body) => _requests.TryGetValue(key, out body);

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out RobustResponseBody? response) => _responses.TryGetValue(key, out response);

    /// <summary>Starts to collect a body. Returns <see langword="false"/> if the peer sends too many.</summary>
    public bool TryOpen(in BodyKey key, IncomingRequest request, [NotNullWhen(true)] out RobustRequestBody? body)
    {
        body = null;
        if (!Bodies.Budget.TryOpen(key.Peer)) { return false; }
        body = new RobustRequestBody(_lane, this, key, request);
        _requests.Add(key, body);
        return true;
    }

    /// <summary>Charges a body with the memory that it uses. Returns <see langword="false"/> if there is not enough.</summary>
    public bool TryCharge(RobustBody entry, long bytes)
    {
        if (!Bodies.Budget.TryTake(entry.Body.Account, bytes - entry.Charged)) { return false; }
        entry.Charged = bytes;
        return true;
    }

    /// <summary>Returns a complete body to the handler, and remembers it as finished.</summary>
    public byte[] Finish(RobustRequestBody body, out BodyCharge? charge)
    {
        var account = body.Body.Account;
        Bodies.Budget.Close(body.Body.Peer);
        var whole = body.Finish();
        // The handler gets the bytes and their charge. What is remembered stays charged.
        var kept = Math.Min(body.Charged, body.Size);
        charge = Bodies.Budget.HandOver(account, body.Charged - kept);
        body.Charged = kept;
        while (_finished.FindExcess(account) is { } excess) { Remove(excess); }
        _finished.Add(body);
        if (Settings.MaxFinishedBodies == 0) { Remove(body); }
        else { ChargeFinished(body); }
        return whole;
    }

    /// <summary>Remembers the answer to a body for blocks that are repeated, if there is room for it.</summary>
    public void Remember(RobustRequestBody body, IncomingRequest request, CoapResponse response)
    {
        var payload = KeptPayload.Of(request, response);
        body.OnAnswered(payload.Equals(response.Payload) ? response : new CoapResponse(response.Code, response.Options, payload));
        if (!TryCharge(body, body.Size)) { body.OnAnswered(null); }
    }

    /// <summary>Adds a response and removes an older one with the same key. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(RobustResponseBody entry, int length)
    {
        if (_responses.TryGetValue(entry.Body, out var older)) { Remove(older); }
        while (_responsesOfPeers.Of(entry.Body.Peer) is { Count: > 0 } ofPeer && ofPeer.Count >= Bodies.Limits.MaxBodiesPerPeer) { Remove(ofPeer[0]); }
        if (length > Bodies.Limits.MaxBodySize || !TryCharge(entry, entry.Size)) { return false; }
        _responses.Add(entry.Body, entry);
        _responsesOfPeers.Add(entry.Body.Peer, entry);
        return true;
    }

    public void Remove(RobustRequestBody body)
    {
        body.StopSending();
        if (!_requests.Remove(body.Body)) { return; }
        if (!_finished.Remove(body)) { Bodies.Budget.Close(body.Body.Peer); }
        Bodies.Budget.Give(body.Body.Account, body.Charged);
        body.Charged = 0;
    }

    public void Remove(RobustResponseBody response)
    {
        response.StopSending();
        if (!_responses.TryGetValue(response.Body, out var found) || found != response) { return; }
        _responses.Remove(response.Body);
        _responsesOfPeers.Remove(response.Body.Peer, response);
        Bodies.Budget.Give(response.Body.Account, response.Charged);
    }

    public void Drop(IncomingRequest request)
    {
        if (TryFind(ServedBodyStore.KeyOf(request), out RobustRequestBody? body) && body.Collection is not null) { Remove(body); }
        Bodies.Drop(request);
    }

    // An account without room forgets its oldest bodies, and at last this one.
    private void ChargeFinished(RobustRequestBody body)
    {
        while (!TryCharge(body, body.Size) && _finished.OldestOf(body.Body.Account) is { } oldest)
        {
            Remove(oldest);
            if (oldest == body) { return; }
        }
    }
}
