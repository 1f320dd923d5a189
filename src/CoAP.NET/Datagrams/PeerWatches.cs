using System.Collections.Concurrent;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;

namespace CoAP.Datagrams;

/// <summary>The tokens that fire when a datagram peer is gone: one for each session that somebody watches, and one for each plain request.</summary>
/// <remarks>
/// A plain datagram tells nothing about the end of its sender. There are two signs: the peer resets a message of the exchange, or the network reports
/// that a message did not reach it. A peer can send many signs, and have many requests in progress, so a sign costs no more than the
/// requests that it aborts. Only the lane uses the object, except for members that are documented as safe for any thread.
/// </remarks>
/// <param name="lane">The lane.</param>
internal sealed class PeerWatches(DatagramLane lane)
{
    private const int MostPerTurn = 256;

    private readonly ConcurrentDictionary<PeerPlace, PeerToken> _sessions = new();
    private readonly Dictionary<PeerIdentity, RequestWatches> _requests = [];

    /// <summary>How many watched requests were looked at because of a sign.</summary>
    public long Examined { get; private set; }

    /// <summary>Returns a token that fires when the session of a peer ends. Any thread.</summary>
    public CancellationToken SessionOf(ChannelKey peer)
    {
        if (_sessions.TryGetValue(PeerPlace.Of(peer), out var known)) { return known.Token; }
        var created = new PeerToken(lane.Stopping);
        known = _sessions.GetOrAdd(PeerPlace.Of(peer), created);
        if (known != created) { created.Leave(); }
        // The session may have ended before the token was visible. That of a client may not have begun.
        else if (!lane.Settings.IsClient) { lane.Post(new LaneAction(() => EndUnlessOpen(peer))); }
        return known.Token;
    }

    /// <summary>Watches the peer of a plain request until the request ends. Any thread.</summary>
    public void Watch(IncomingRequest request, PeerToken token)
    {
        if (lane.IsOwnedByCaller) { Add(request, token); }
        else { lane.Post(new LaneAction(() => Add(request, token))); }
    }

    /// <summary>Called when a request of a peer has ended. A peer can have thousands of requests in progress, so only this one is looked up.</summary>
    public void Remove(in PeerIdentity peer, PeerToken token)
    {
        // The copy of a request whose body is streamed has an end of its own.
        if (!_requests.TryGetValue(peer, out var watches) || !watches.TryFind(token, out var watch)) { return; }
        if (watch.Request.End is null) { return; }
        token.Leave();
        Remove(peer, watches, watch);
    }

    /// <summary>Called when the session of a peer has ended. A server may have one at each local port of a client.</summary>
    public void OnSessionEnded(in ChannelKey peer)
    {
        if (_sessions.TryRemove(PeerPlace.Of(peer), out var token)) { Fire(token); }
    }

    /// <summary>Called when a peer has reset a message.</summary>
    /// <remarks>
    /// A Reset rejects one message (RFC 7252, section 4.2). If that is an answer, the peer has forgotten the requests with its token that arrived before. It
    /// may use the token again after that (RFC 7252, section 5.3.1), so later requests stay. A notification belongs to an observation, and a request of this
    /// endpoint has a token of its own. A peer can have thousands of requests with one token, so the lane does other work in between.
    /// </remarks>
    public void OnReset(IUnsettled message)
    {
        if (message is not SeparateAnswer answer || !_requests.TryGetValue(message.Key.Peer, out var watches)) { return; }
        for (var left = MostPerTurn; left > 0; left--)
        {
            if (watches.OldestWith(answer.Token) is not { } watch) { return; }
            Examined++;
            if (watch.Since >= answer.Began) { return; }    // those behind it are later still
            FireAndRemove(message.Key.Peer, watches, watch);
        }
        lane.Post(new LaneAction(() => OnReset(answer)));
    }

    /// <summary>Called when the network reports that a message did not reach a peer. Anybody can forge a report that quotes no token.</summary>
    /// <param name="peer">The receiver of the message.</param>
    /// <param name="quoted">The beginning of the message.</param>
    /// <param name="isOwn">Whether the quoted token proves that the message was sent.</param>
    public void OnUndelivered(in PeerIdentity peer, ReadOnlySpan<byte> quoted, bool isOwn)
    {
        if (!_requests.TryGetValue(peer, out var watches)) { return; }
        if (isOwn)
        {
            _requests.Remove(peer);     // later requests of the peer are not affected
            FireAll(watches.All.Values.GetEnumerator());
        }
        else if (quoted.Length >= DatagramHeader.Length && DatagramHeader.ReadType(quoted) == MessageType.Acknowledgement
            && watches.LatestWith(DatagramHeader.ReadMessageId(quoted)) is { } watch)
        {
            Examined++;
            if (watch.Request.IsAcknowledged) { FireAndRemove(peer, watches, watch); }
        }
    }

    private void EndUnlessOpen(ChannelKey peer)
    {
        if (lane.Sessions?.Contain(peer) == false) { OnSessionEnded(peer); }
    }

    private void Add(IncomingRequest request, PeerToken token)
    {
        if (request.End is not null)
        {
            token.Leave();
            return;
        }
        if (!_requests.TryGetValue(request.Peer, out var watches)) { _requests[request.Peer] = watches = new(); }
        watches.Add(new(request, token, lane.Now));
    }

    private void Remove(in PeerIdentity peer, RequestWatches watches, RequestWatch watch)
    {
        watches.Remove(watch);
        if (watches.All.Count == 0) { _requests.Remove(peer); }
    }

    private void FireAndRemove(in PeerIdentity peer, RequestWatches watches, RequestWatch watch)
    {
        Remove(peer, watches, watch);
        Fire(watch.Token);
    }

    // If there are many, the lane does other work in between. Those of requests that end meanwhile do not fire.
    private void FireAll(IEnumerator<RequestWatch> watches)
    {
        for (var left = MostPerTurn; left > 0; left--)
        {
            if (!watches.MoveNext()) { return; }
            Examined++;
            if (watches.Current.Request.End is null) { Fire(watches.Current.Token); }
            else { watches.Current.Token.Leave(); }
        }
        lane.Post(new LaneAction(() => FireAll(watches)));
    }

    private void Fire(PeerToken token)
    {
        if (!token.IsCancellationRequested) { _ = token.FireAsync(lane); }
    }
}
