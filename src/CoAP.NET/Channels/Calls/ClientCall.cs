using System.Diagnostics;
using CoAP.Options;

namespace CoAP.Channels;

/// <summary>One call of a user: the caller who waits, and the exchanges that bring the response.</summary>
/// <remarks>Made by the caller's thread, handed to the lane through its inbox, from then on the lane's alone; only <see cref="Cancel"/> comes from elsewhere.</remarks>
internal sealed class ClientCall : LaneWork, IExchangeOwner
{
    /// <summary>Stands for the response that nobody wanted.</summary>
    private static readonly CoapResponse Unwanted = new(ResponseCode.Valid);

    private readonly LaneContext _lane;
    private readonly ChannelKey _key;
    private readonly OptionSet _options;
    private readonly Func<LaneContext, ChannelKey, LaneChannel> _open;
    private readonly Activity? _activity;
    private CancellationTokenRegistration _cancellation;
    private ClientExchange? _exchange;
    private long _startedAt;

    /// <param name="lane">Where it is driven.</param>
    /// <param name="key">The peer, and the local address that its requests leave from.</param>
    /// <param name="request">What is asked for.</param>
    /// <param name="options">All options of the request, those of the URI included.</param>
    /// <param name="parked">Whether the caller blocks a thread.</param>
    /// <param name="open">Finds or makes the channel, on the lane.</param>
    public ClientCall(
        LaneContext lane, in ChannelKey key, CoapRequest request, OptionSet options, bool parked, Func<LaneContext, ChannelKey, LaneChannel> open)
    {
        (_lane, _key, Request, _options, _open) = (lane, key, request, options, open);
        Caller = new PendingResponse(parked);
        _activity = CoapTracing.IsWanted ? CoapTracing.StartClient(request, key.Peer) : null;
    }

    public CoapRequest Request { get; }

    public PendingResponse Caller { get; }

    /// <summary>Whether no response is wanted (RFC 7967).</summary>
    public bool IsForgotten { get; init; }

    public bool IsDone => Caller.IsDone;

    public override void Run()
    {
        if (Caller.IsDone) { return; }
        Send(_options, Request.Payload);
    }

    public override void Abandon() => Fail(new CoapTransportException("The endpoint has ended."), TimeSpan.Zero);

    /// <summary>Ends the wait when the token fires, and has the lane clean up.</summary>
    public void CancelOn(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) { return; }
        _cancellation = cancellationToken.UnsafeRegister(static (call, token) => ((ClientCall)call!).Cancel(token), this);
        if (Caller.IsDone) { _cancellation.Dispose(); }
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        _cancellation.Dispose();
        var roundTrip = TimeSpan.FromTicks(_lane.Now - _startedAt);
        CoapMetrics.RecordRequest(Request.Method, response.Code, roundTrip);
        CoapTracing.End(_activity, response.Code);
        Caller.TryComplete(new CoapResponse(response.Code)
        {
            Options = response.Options,
            Payload = response.Code.MayHavePayload ? response.Payload : default,
            Remote = _key.Peer,
            RoundTripTime = roundTrip,
        });
    }

    public void OnForgotten(ClientExchange exchange)
    {
        _cancellation.Dispose();
        _activity?.Dispose();
        Caller.TryComplete(Unwanted);
    }

    /// <summary>What became of a request that no response was wanted to.</summary>
    /// <param name="outcome">What the caller got.</param>
    /// <param name="acknowledges">Whether the peer acknowledges such requests.</param>
    public static Delivery ToDelivery(CoapResponse outcome, bool acknowledges)
    {
        var response = ReferenceEquals(outcome, Unwanted) ? null : outcome;
        return new Delivery(response is not null || acknowledges, response);
    }

    public void OnFailure(ClientExchange exchange, Exception error) =>
        Fail(error, exchange.StartedAt is { } startedAt ? TimeSpan.FromTicks(_lane.Now - startedAt) : TimeSpan.Zero);

    private void Send(OptionSet options, ReadOnlyMemory<byte> payload)
    {
        _exchange = new ClientExchange(_lane, _key, Request, options, payload, this) { IsForgotten = IsForgotten };
        _startedAt = _lane.Now;
        _exchange.Begin(_open(_lane, _key));
    }

    private void Fail(Exception error, TimeSpan elapsed)
    {
        _cancellation.Dispose();
        _lane.Metrics.FailedRequests++;
        CoapMetrics.RecordFailure(Request.Method, error, elapsed);
        CoapTracing.Fail(_activity, error);
        Caller.TryFail(error);
    }

    private void Cancel(CancellationToken cancellationToken)
    {
        if (!Caller.TryCancel(cancellationToken)) { return; }
        _lane.Post(new LaneAction(() =>
        {
            _exchange?.Cancel();
            _activity?.Dispose();
        }));
    }
}
