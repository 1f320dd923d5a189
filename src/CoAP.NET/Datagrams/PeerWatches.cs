using System.Collections.Concurrent;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Serialization;

namespace CoAP.Datagrams;

/// <summary>The tokens that fire when a datagram peer is gone: one for each session that somebody watches, and one for each plain request.</summary>
/// <remarks>
/// A plain datagram tells nothing about the end of its sender. There are two signs: the peer resets a message of the exchange, or the network reports
/// that a message did not reach it. Only the lane uses the object, except for members that are documented as safe for any thread.
/// </remarks>
/// <param name="lane">The lane.</param>
internal sealed class PeerWatches(DatagramLane lane)
{
    private readonly ConcurrentDictionary<PeerIdentity, PeerToken> _sessions = new();
    private readonly Dictionary<PeerIdentity, Dictionary<PeerToken, (IncomingRequest Request, long Since)>> _requests = [];

    /// <summary>Returns a token that fires when the session of a peer ends. Any thread.</summary>
    public CancellationToken SessionOf(ChannelKey peer)
    {
        if (_sessions.TryGetValue(peer.Peer, out var known)) { return known.Token; }
        var created = new PeerToken(lane.Stopping);
        known = _sessions.GetOrAdd(peer.Peer, created);
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
        if (!_requests.TryGetValue(peer, out var watches) || !watches.TryGetValue(token, out var watch) || watch.Request.End is null) { return; }
        token.Leave();
        watches.Remove(token);
        if (watches.Count == 0) { _requests.Remove(peer); }
    }

    /// <summary>Called when the session of a peer has ended.</summary>
    public void OnSessionEnded(in PeerIdentity peer)
    {
        if (_sessions.TryRemove(peer, out var token)) { Fire(token); }
    }

    /// <summary>Called when a peer has reset a message.</summary>
    /// <remarks>
    /// A Reset rejects one message (RFC 7252, section 4.2). If that is an answer, the peer has forgotten the requests with its token that arrived before. It
    /// may use the token again after that (RFC 7252, section 5.3.1), so later requests stay. A notification belongs to an observation, and a request of this
    /// endpoint has a token of its own.
    /// </remarks>
    public void OnReset(IUnsettled message)
    {
        if (_requests.Count == 0 || message is not SeparateAnswer answer) { return; }
        FireAll(message.Key.Peer, answer, static (watch, rejected) => watch.Request.Message.Token == rejected.Token && watch.Since < rejected.Began);
    }

    /// <summary>Called when the network reports that a message did not reach a peer. Anybody can forge a report that quotes no token.</summary>
    /// <param name="peer">The receiver of the message.</param>
    /// <param name="quoted">The beginning of the message.</param>
    /// <param name="isOwn">Whether the quoted token proves that the message was sent.</param>
    public void OnUndelivered(in PeerIdentity peer, ReadOnlySpan<byte> quoted, bool isOwn)
    {
        if (_requests.Count == 0) { return; }
        if (isOwn) { FireAll(peer, 0, static (_, _) => true); }
        else if (quoted.Length >= DatagramHeader.Length && DatagramHeader.ReadType(quoted) == MessageType.Acknowledgement)
        {
            FireAll(peer, DatagramHeader.ReadMessageId(quoted), static (watch, id) => watch.Request.IsAcknowledged && watch.Request.Message.MessageId == id);
        }
    }

    private void EndUnlessOpen(ChannelKey peer)
    {
        if (lane.Sessions?.Contain(peer) == false) { OnSessionEnded(peer.Peer); }
    }

    private void Add(IncomingRequest request, PeerToken token)
    {
        if (request.End is not null)
        {
            token.Leave();
            return;
        }
        if (!_requests.TryGetValue(request.Peer, out var watches)) { _requests[request.Peer] = watches = []; }
        watches[token] = (request, lane.Now);
    }

    private void FireAll<T>(in PeerIdentity peer, T sign, Func<(IncomingRequest Request, long Since), T, bool> isOf)
    {
        if (!_requests.TryGetValue(peer, out var watches)) { return; }
        foreach (var (token, watch) in watches)
        {
            if (isOf(watch, sign)) { Fire(token); }
        }
    }

    private void Fire(PeerToken token)
    {
        if (!token.IsCancellationRequested) { _ = token.FireAsync(lane); }
    }
}
