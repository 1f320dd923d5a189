using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>All responses to a raw request.</summary>
/// <param name="channel">The channel.</param>
/// <param name="request">The request.</param>
internal sealed class RawAnswers(ChannelHandle channel, CoapRequest request) : AnswerStream
{
    /// <summary>The largest number of responses that wait for the reader.</summary>
    private const int MaxWaiting = 256;

    private Exchange? _exchange;

    protected override ValueTask BeginAsync(CancellationToken cancellationToken)
    {
        Begin(parked: false);
        return ValueTask.CompletedTask;
    }

    protected override void Begin(CancellationToken cancellationToken)
    {
        channel.Lane.ThrowIfOwnedByCaller();
        Begin(parked: true);
    }

    protected override ValueTask<CoapResponse?> TakeAsync(CancellationToken cancellationToken) =>
        _exchange!.Responses.TakeAsync(cancellationToken);

    protected override CoapResponse? Take(CancellationToken cancellationToken) => _exchange!.Responses.Take(cancellationToken);

    protected override void Close()
    {
        if (_exchange is not { } exchange || !exchange.Responses.TryClose()) { return; }
        exchange.Responses.Complete();      // ends a wait of the reader
        channel.Lane.Post(new LaneAction(exchange.Cancel));
    }

    private void Begin(bool parked)
    {
        RequestTarget.ThrowIfGroup(channel.Peer);
        _exchange = new Exchange(channel, request);
        channel.Post(RawCall.Of(channel, _exchange), parked);
    }

    private sealed class Exchange(ChannelHandle channel, CoapRequest request) : RawExchange(request)
    {
        private readonly long _startedAt = channel.Lane.Time.GetTimestamp();

        public ResponseQueue Responses { get; } = new(MaxWaiting, channel.Lane.Runtime);

        protected internal override void OnResponse(CoapMessage response, bool isLast)
        {
            var isTaken = Responses.TryAdd(new CoapResponse(response.Code, response.Options, response.Payload)
            {
                Remote = channel.Peer,
                Asked = Request,
                RoundTripTime = channel.Lane.Time.GetElapsedTime(_startedAt),
            });
            if (isTaken)
            {
                if (isLast) { Responses.Complete(); }
                return;
            }
            Responses.Complete(new CoapBusyException(
                $"{MaxWaiting} responses to {Request.Describe()} wait for their reader, and the next one has no room. Read faster."));
            Cancel();
        }

        protected internal override void OnFailure(Exception error) => Responses.Complete(error);

        protected internal override void OnForgotten() => Responses.Complete();
    }
}
