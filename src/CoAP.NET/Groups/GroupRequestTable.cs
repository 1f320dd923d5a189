using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Reliability;

namespace CoAP.Groups;

/// <summary>
/// The multicast requests of a lane, by token. Any sender may respond; only the token has to match (RFC 7252, section 8.2). Tokens of multicast
/// and unicast requests are separate: neither matches a response to the other.
/// </summary>
internal sealed class GroupRequestTable(ExchangeLane lane, ExchangeSettings settings, int maxRequests) : IResponseTaker
{
    private readonly Dictionary<ulong, GroupRequest> _byToken = [];
    private MessageIdSource? _messageIds;
    private int _listening;

    /// <summary>The responses of members.</summary>
    public Output<IncomingResponse> Responses { get; } = new();

    /// <summary>Adds a request and returns its message ID from the range for groups. Returns an exception if there is no room.</summary>
    public CoapBusyException? Add(GroupRequest request, out MessageId messageId)
    {
        messageId = default;
        if (_listening >= maxRequests)
        {
            return new CoapBusyException($"{maxRequests} multicast requests are already waiting for responses (MaxMulticastRequests).");
        }
        _messageIds ??= MessageIdSource.ForMulticast(lane.Now, settings.Transmission.ExchangeLifetime.Ticks, (ushort)lane.Random.Next(ushort.MaxValue));
        if (_messageIds.TryNext(lane.Now, !settings.AllowsMessageIdReuse, out messageId, out _) == MessageIdOutcome.Exhausted)
        {
            return new CoapBusyException(
                $"All {MessageIdSource.MulticastCount} message IDs for multicast are in use or in quarantine (RFC 7252, section 4.4).");
        }
        _listening++;
        _byToken.Add(request.Token.Inline, request);
        return null;
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
        if (isUnderstood) { Responses.Emit(new IncomingResponse(request, item, lane.HasCredentialsOfStage(item))); }
        return true;
    }

    public bool TryFind(in Token token, in ChannelKey from, [NotNullWhen(true)] out GroupRequest? request)
    {
        request = null;
        return _byToken.Count > 0 && _byToken.TryGetValue(token.Inline, out request) && request.Token == token
            && request.Key.Local.Port == from.Local.Port;
    }
}
