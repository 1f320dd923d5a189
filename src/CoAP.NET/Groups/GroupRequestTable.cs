using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Reliability;

namespace CoAP.Groups;

/// <summary>
/// The multicast requests of a lane, by token. Any sender may respond; only the token has to match (RFC 7252, section 8.2). Tokens of multicast
/// and unicast requests are separate: neither matches a response to the other.
/// </summary>
internal sealed class GroupRequestTable(ExchangeLane lane, int maxRequests) : IResponseTaker
{
    private readonly Dictionary<ulong, GroupRequest> _byToken = [];
    private MessageIdSource? _messageIds;
    private int _listening;

    /// <summary>Adds a request and returns its message ID from the range for groups. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(GroupRequest request, long now, Random random, out MessageId messageId, [NotNullWhen(false)] out CoapBusyException? busy)
    {
        messageId = default;
        if (_listening >= maxRequests)
        {
            busy = new CoapBusyException($"{maxRequests} multicast requests are already waiting for responses (MaxMulticastRequests).");
            return false;
        }
        _messageIds ??= MessageIdSource.ForMulticast(now, lane.Settings.Transmission.ExchangeLifetime.Ticks, (ushort)random.Next(ushort.MaxValue));
        if (_messageIds.TryNext(now, !lane.Settings.AllowsMessageIdReuse, out messageId, out _) == MessageIdOutcome.Exhausted)
        {
            busy = new CoapBusyException(
                $"All {MessageIdSource.MulticastCount} message IDs for multicast are in use or in quarantine (RFC 7252, section 4.4).");
            return false;
        }
        _listening++;
        _byToken.Add(request.Token.Inline, request);
        busy = null;
        return true;
    }

    /// <summary>Frees a place because a request waits no more. Its late responses are still recognized.</summary>
    public void Close() => _listening--;

    /// <summary>Removes a request, whose late responses are not recognized from then on.</summary>
    public void Remove(GroupRequest request)
    {
        _byToken.Remove(request.Token.Inline);
        _messageIds!.Settle(request.MessageId);
    }

    public bool TryTake(in ReceivedMessage item, bool isUnderstood)
    {
        if (item.Message.Type == MessageType.Acknowledgement || !TryFind(item.Message.Token, item.Key, out var request)) { return false; }
        if (isUnderstood) { request.Take(item); }
        return true;
    }

    public bool TryFind(in Token token, in ChannelKey from, [NotNullWhen(true)] out GroupRequest? request)
    {
        request = null;
        return _byToken.Count > 0 && _byToken.TryGetValue(token.Inline, out request) && request.Token == token
            && request.Key.Local.Port == from.Local.Port;
    }
}
