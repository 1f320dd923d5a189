using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>
/// Creates requests from received messages. Refuses requests with unrecognized critical options
/// (RFC 7252, section 5.4.1) or too long URIs, and requests over connections while the endpoint stops. Catches exceptions of later stages and ends their requests with 5.00.
/// </summary>
internal sealed class RequestStage(
    ExchangeLane lane, ExchangeSettings settings, OptionRegistry understood, RequestStage.Create create, RequestFailures failures)
    : InlineStage<ReceivedMessage, IncomingRequest>
{
    // In bytes: the header, the options and a diagnostic payload of the response.
    private const int RoomBesideToken = 64;

    // The header of a datagram and the length of a long token (RFC 8974, section 2.1).
    private const int LeastBesideToken = 4 + 2;

    // Never larger than the request, because that has the same token.
    private static readonly CoapResponse Wordless = new(ResponseCode.BadRequest);

    // This connection accepts no request any more, but the client may repeat the request over a new one soon, to another or a restarted endpoint.
    private static readonly CoapResponse Stopping = Response.Unavailable(TimeSpan.FromSeconds(1));

    private readonly UriLimits _uri = new(settings.MaxPathSegments, settings.MaxPathLength, settings.MaxQueryArguments);
    private readonly int _longestToken = settings.MaxSendSize - LeastBesideToken;
    private readonly int _maxTokenLength = lane.IsReliable
        ? int.MaxValue
        : Math.Max(Token.InlineLength, Math.Min(settings.MaxTokenLength, settings.MaxSendSize - RoomBesideToken));

    /// <summary>Creates the request of the transport from a received message.</summary>
    public delegate IncomingRequest Create(in ReceivedMessage item);

    /// <summary>The answers to requests that are refused.</summary>
    public Output<Answer> Refusals => field ??= Port<Answer>();

    /// <summary>Resets for messages that are rejected.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    protected override void Process(in ReceivedMessage item)
    {
        var refusal = FindRefusal(item, out var mustReset);
        if (mustReset)
        {
            Reactions.Emit(EmptyMessages.Reset(item.Key, item.Message.MessageId) with { Ticket = item.Ticket, Retention = RetentionClass.Safe });
            return;
        }
        var request = create(item);
        request.Credentials = item.Credentials;
        if (RequestTelemetry.Of(lane, item, request.Connection) is { } telemetry) { request.Telemetry = telemetry; }
        lane.Current = request;
        try
        {
            if (refusal is null) { Out.Emit(request); }
            else { Refusals.Emit(new Answer(request, refusal, isAcknowledged: false)); }
        }
        catch (Exception exception) // Every request that makes a later stage fail ends here.
        {
            failures.Fail(request, exception);
        }
        lane.Current = null;
    }

    private CoapResponse? FindRefusal(in ReceivedMessage item, out bool mustReset)
    {
        var message = item.Message;
        mustReset = false;
        if (lane.IsDraining && lane.IsReliable) { return Stopping; }
        if (message.Token.Length > _maxTokenLength)
        {
            // 4.00 means that extended tokens are supported, but not of this length (RFC 8974, section 2.2.2). A Reset would mean that they are
            // not supported. It remains for tokens that fit into no message to this peer.
            mustReset = message.Token.Length > _longestToken && !item.IsMulticast;
            return mustReset || message.Token.Length > _longestToken - RoomBesideToken
                ? Wordless
                : Response.Error(ResponseCode.BadRequest, $"Tokens of up to {_maxTokenLength} bytes are accepted.");
        }
        if (OptionCheck.FindUnrecognizedCritical(message.Options, understood, message.Code, out var number))
        {
            mustReset = !lane.IsReliable && message.Type != MessageType.Confirmable && !item.IsMulticast;
            return mustReset ? null : Response.BadOption(number, $"Rejected: {OptionCheck.Explain(message.Options, understood, message.Code, number)}.");
        }
        if (HopLimit.Explain(message.Options) is { } reason) { return Response.Error(ResponseCode.BadRequest, reason); }
        return _uri.FindRefusal(message.Options);
    }
}
