using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>
/// Creates requests from received messages. Refuses requests with unrecognized critical options, and requests that need a proxy
/// (RFC 7252, sections 5.4.1 and 5.7.2). Catches exceptions of later stages and ends their requests with 5.00.
/// </summary>
internal sealed class RequestStage(ExchangeLane lane, OptionRegistry understood, RequestStage.Create create, RequestFailures failures)
    : InlineStage<ReceivedMessage, IncomingRequest>
{
    // In bytes: the header, the options and a diagnostic payload of the response.
    private const int RoomBesideToken = 64;

    private static readonly ulong ProxyBits = OptionNumber.SeenBit(ProxyUri.Declaration.Number) | OptionNumber.SeenBit(ProxyScheme.Declaration.Number);

    private readonly int _longestToken = lane.Settings.MaxSendSize - RoomBesideToken;
    private readonly int _maxTokenLength = lane.IsReliable
        ? int.MaxValue
        : Math.Max(Token.InlineLength, Math.Min(lane.Settings.MaxTokenLength, lane.Settings.MaxSendSize - RoomBesideToken));

    /// <summary>Creates the request of the transport from a received message.</summary>
    public delegate IncomingRequest Create(in ReceivedMessage item);

    /// <summary>The answers to requests that are refused.</summary>
    public Output<Answer> Refusals => field ??= Port<Answer>();

    /// <summary>Resets for messages that are rejected.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in ReceivedMessage item)
    {
        var message = item.Message;
        if (message.Token.Length > _maxTokenLength)
        {
            RefuseToken(item);
            return;
        }
        if (OptionCheck.FindUnrecognizedCritical(message.Options, understood, message.Code, out var number))
        {
            RefuseOption(item, number);
            return;
        }
        var request = CreateFrom(item);
        try
        {
            if ((message.Options.Seen & ProxyBits) == 0) { Out.Emit(request); }
            else { Refuse(request, new CoapResponse(ResponseCode.ProxyingNotSupported)); }
        }
        catch (Exception exception) // Every request that makes a later stage fail ends here.
        {
            failures.Fail(request, exception);
        }
    }

    private IncomingRequest CreateFrom(in ReceivedMessage item)
    {
        var request = create(item);
        request.Credentials = item.Credentials;
        return request;
    }

    // 4.00 means that extended tokens are supported, but not of this length (RFC 8974, section 2.2.2). A Reset means the same to the sender. It
    // rejects a token that leaves no room for a response.
    private void RefuseToken(in ReceivedMessage item)
    {
        if (item.Message.Token.Length > _longestToken && !item.IsMulticast) { Reset(item); }
        else { Refuse(CreateFrom(item), Response.Error(ResponseCode.BadRequest, $"Tokens of up to {_maxTokenLength} bytes are accepted.")); }
    }

    private void RefuseOption(in ReceivedMessage item, int number)
    {
        if (lane.IsReliable || item.Message.Type == MessageType.Confirmable || item.IsMulticast)
        {
            Refuse(CreateFrom(item), Response.Error(ResponseCode.BadOption, $"Option {number} is critical and not understood."));
        }
        else { Reset(item); }
    }

    private void Refuse(IncomingRequest request, CoapResponse response) => Refusals.Emit(new Answer(request, response, isAcknowledged: false));

    private void Reset(in ReceivedMessage item) =>
        Reactions.Emit(EmptyMessages.Reset(item.Key, item.Message.MessageId) with { Ticket = item.Ticket, Retention = RetentionClass.Safe });
}
