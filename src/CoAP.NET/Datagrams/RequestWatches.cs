using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;

namespace CoAP.Datagrams;

/// <summary>A plain request whose peer is watched.</summary>
/// <param name="request">The request.</param>
/// <param name="token">Fires when the peer is gone.</param>
/// <param name="since">When the watch began.</param>
internal sealed class RequestWatch(IncomingRequest request, PeerToken token, long since)
{
    public IncomingRequest Request => request;

    public PeerToken Token => token;

    public long Since => since;

    /// <summary>The watches of requests with the same token, in the order in which they began.</summary>
    public (RequestWatch? Previous, RequestWatch? Next) InToken { get; set; }
}

/// <summary>The watched requests of a peer, found by what a Reset or an error of the network tells about them.</summary>
internal sealed class RequestWatches
{
    private readonly Dictionary<PeerToken, RequestWatch> _all = [];
    private readonly Dictionary<Token, (RequestWatch Oldest, RequestWatch Latest)> _byToken = [];
    private readonly Dictionary<MessageId, RequestWatch> _byMessageId = [];

    public IReadOnlyDictionary<PeerToken, RequestWatch> All => _all;

    public bool TryFind(PeerToken token, [NotNullWhen(true)] out RequestWatch? watch) => _all.TryGetValue(token, out watch);

    /// <summary>Returns the oldest watch of a request with a token; <see langword="null"/> if there is none.</summary>
    public RequestWatch? OldestWith(in Token token) => _byToken.TryGetValue(token, out var watches) ? watches.Oldest : null;

    /// <summary>Returns the watch of the latest confirmable request with a message ID; <see langword="null"/> if there is none.</summary>
    public RequestWatch? LatestWith(MessageId messageId) => _byMessageId.GetValueOrDefault(messageId);

    public void Add(RequestWatch watch)
    {
        var message = watch.Request.Message;
        _all.Add(watch.Token, watch);
        if (message.Type == MessageType.Confirmable) { _byMessageId[message.MessageId] = watch; }
        if (!_byToken.TryGetValue(message.Token, out var watches))
        {
            _byToken[message.Token] = (watch, watch);
            return;
        }
        watch.InToken = (watches.Latest, null);
        watches.Latest.InToken = (watches.Latest.InToken.Previous, watch);
        _byToken[message.Token] = (watches.Oldest, watch);
    }

    public void Remove(RequestWatch watch)
    {
        var message = watch.Request.Message;
        _all.Remove(watch.Token);
        if (_byMessageId.TryGetValue(message.MessageId, out var latest) && latest == watch) { _byMessageId.Remove(message.MessageId); }
        var (previous, next) = watch.InToken;
        if (previous is null && next is null)
        {
            _byToken.Remove(message.Token);
            return;
        }
        var (oldest, last) = _byToken[message.Token];
        _byToken[message.Token] = (previous is null ? next! : oldest, next is null ? previous! : last);
        if (previous is not null) { previous.InToken = (previous.InToken.Previous, next); }
        if (next is not null) { next.InToken = (previous, next.InToken.Next); }
    }
}
