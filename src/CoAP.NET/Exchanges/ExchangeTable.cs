using System.Diagnostics.CodeAnalysis;
using CoAP.Blockwise;
using CoAP.Serialization;

namespace CoAP.Exchanges;

/// <summary>Finds the exchange of a received message by peer and token, or by peer and message ID (RFC 7252, sections 4.2 and 5.3.2).</summary>
internal sealed class ExchangeTable
{
    private readonly Dictionary<ulong, ITokenOwner> _byToken = [];
    private readonly Dictionary<uint, (TokenSeries Tokens, ITokenOwner Owner)> _bySeries = [];
    private readonly Dictionary<UnsettledKey, IUnsettled> _byMessageId = [];

    private readonly record struct UnsettledKey(PeerPlace Place, MessageId MessageId) : ISeededKey
    {
        public override int GetHashCode() => SeededHash.Combine(Place.GetHashCode(), MessageId.Value);
    }

    /// <summary>Called when a message is no longer unsettled. A late duplicate of its acknowledgement can still arrive.</summary>
    public Action<IUnsettled>? Settled { get; set; }

    /// <summary>The number of tokens that await responses. A series counts as one.</summary>
    public int Count => _byToken.Count + _bySeries.Count;

    /// <summary>The number of counted messages that await an acknowledgement, a Reset or a response.</summary>
    public int UnsettledCount => _byMessageId.Values.Count(static message => message.IsCounted);

    public void Add(ITokenOwner owner) => _byToken.Add(owner.Token.Inline, owner);

    public void Remove(ITokenOwner owner)
    {
        if (_byToken.TryGetValue(owner.Token.Inline, out var found) && ReferenceEquals(found, owner)) { _byToken.Remove(owner.Token.Inline); }
    }

    public bool HasToken(in Token token) => _byToken.ContainsKey(token.Inline);

    /// <summary>Finds the owner of a token that was used with this peer.</summary>
    public bool TryFind(in Token token, in ChannelKey from, [NotNullWhen(true)] out ITokenOwner? owner) =>
        (_byToken.TryGetValue(token.Inline, out owner) ? owner.Token == token : TryFindSeries(token, out owner))
        && owner.Key.Peer == from.Peer && owner.Key.Local.Port == from.Local.Port;

    /// <summary>Creates a series of tokens that no other body uses.</summary>
    public TokenSeries NewSeries(TokenSource source)
    {
        while (true)
        {
            var series = new TokenSeries(source.Next().Inline);
            if (!_bySeries.ContainsKey(series.Key)) { return series; }
        }
    }

    /// <summary>Adds the owner of all tokens of a series (RFC 9177, section 5).</summary>
    public void Add(TokenSeries tokens, ITokenOwner owner) => _bySeries[tokens.Key] = (tokens, owner);

    public void Remove(TokenSeries series)
    {
        if (_bySeries.TryGetValue(series.Key, out var found) && found.Tokens == series) { _bySeries.Remove(series.Key); }
    }

    public void AddUnsettled(IUnsettled message) => _byMessageId[KeyOf(message.Key, message.MessageId)] = message;

    public void RemoveUnsettled(IUnsettled message)
    {
        var key = KeyOf(message.Key, message.MessageId);
        if (_byMessageId.TryGetValue(key, out var found) && ReferenceEquals(found, message))
        {
            _byMessageId.Remove(key);
            Settled?.Invoke(message);
        }
    }

    /// <summary>Returns whether a message to this peer with this message ID is unsettled.</summary>
    public bool HasMessageId(MessageId messageId, in ChannelKey to) => _byMessageId.Count > 0 && _byMessageId.ContainsKey(KeyOf(to, messageId));

    /// <summary>Finds the unsettled message that was sent to this peer with this message ID.</summary>
    public bool TryFind(MessageId messageId, in ChannelKey from, [NotNullWhen(true)] out IUnsettled? message)
    {
        message = null;
        return _byMessageId.Count > 0 && _byMessageId.TryGetValue(KeyOf(from, messageId), out message);
    }

    /// <summary>Finds the unsettled message with these bytes.</summary>
    public bool TryFind(in Frame sent, [NotNullWhen(true)] out IUnsettled? message)
    {
        var bytes = sent.Bytes.Span;
        message = null;
        return bytes.Length >= DatagramHeader.Length && TryFind(DatagramHeader.ReadMessageId(bytes), sent.Key, out message);
    }

    private bool TryFindSeries(in Token token, [NotNullWhen(true)] out ITokenOwner? owner)
    {
        owner = _bySeries.Count > 0 && _bySeries.TryGetValue(TokenSeries.KeyOf(token), out var found) && found.Tokens.Contains(token) ? found.Owner : null;
        return owner is not null;
    }

    private static UnsettledKey KeyOf(in ChannelKey key, MessageId messageId) => new(PeerPlace.Of(key), messageId);
}
