using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Vocabulary;

namespace CoAP.Streams;

/// <summary>A request that arrived over a connection (RFC 8323).</summary>
internal sealed class StreamRequest : IncomingRequest
{
    private static readonly CoapResponse HandledButUnread =
        Response.Error(ResponseCode.InternalServerError, "The request was handled, but too many earlier responses are unread.");

    private readonly StreamChannel _channel;
    private readonly int _generation;

    public StreamRequest(StreamChannel channel, CoapMessage message)
        : base(message, channel.Key) => (_channel, _generation) = (channel, channel.RequestStarted());

    private StreamRequest(StreamChannel channel, CoapMessage message, IAnswerTaker taker)
        : base(message, channel.Key) => (_channel, Taker) = (channel, taker);

    public override bool IsReliable => true;

    public override IChannel Channel => _channel.Handle;

    // A request on behalf of observers does not end with the connection, because observers on other connections may share its answer.
    public override CancellationToken RequestAborted => Taker is null ? _channel.Lifetime.Ended : _channel.Lane.Stopping;

    private protected override bool IsPeerGone => base.IsPeerGone || (Taker is null && _channel.Lifetime.State != StreamState.Open);

    private protected override PeerCredentials? ChannelCredentials => _channel.Credentials;

    internal override Account Account => Taker is { } taker ? taker.Account : _channel.Lane.AccountOf(Key.Peer, Credentials);

    internal override ExchangeLane Lane => _channel.Lane;

    private protected override Func<IncomingRequest, IServiceProvider>? ServiceFactory => _channel.RequestServices;

    internal override bool MayBlock => _channel.RunsHandlers;

    internal override LaneChannel? Connection => _channel;

    internal override MessageLimits ResponseLimits => _channel.KnownLimits;

    /// <summary>Does nothing: a reliable transport acknowledges by itself (RFC 8323, section 3.1).</summary>
    public override void Acknowledge()
    {
    }

    private protected override IncomingRequest Repeat(CoapMessage message, IAnswerTaker taker) => new StreamRequest(_channel, message, taker);

    private protected override bool TrySend(in Answer answer, Output<OutgoingMessage> output)
    {
        if (_channel.IsClosed)
        {
            _channel.Lane.Metrics[LaneCounters.LateAnswers]++;
            return false;
        }
        var response = _channel.Turn.MaySend(answer.Response) ? answer.Response : Unread(answer);
        var message = new CoapMessage(default, response.Code, default, Message.Token, response.Options, response.Payload);
        output.Emit(new OutgoingMessage(Key, message) { Link = _channel, Request = this });
        return true;
    }

    // The peer does not read its responses, so this one would wait without bound. The client may repeat an idempotent request.
    private CoapResponse Unread(in Answer answer)
    {
        answer.Registration?.Revoke();      // the error tells the client that it does not observe the resource
        var lane = _channel.Lane;
        lane.Metrics[LaneCounters.UnreadAnswers]++;
        if (lane.Log.TryPass(LogEvent.UnreadResponses, null, out var held))
        {
            Log.UnreadResponses(lane.Logger, Key.Peer, _channel.Settings.MaxUnsentSize, held);
        }
        var instead = Method.IsIdempotent ? Response.Overloaded : HandledButUnread;
        Telemetry?.Replace(instead.Code);
        return instead;
    }

    private protected override bool IsDisconnected => _channel.IsClosed;

    private protected override void Release() => _channel.RequestFinished(_generation);
}
