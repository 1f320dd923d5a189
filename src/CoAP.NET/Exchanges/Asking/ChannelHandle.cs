using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The object through which users access a channel. It sends requests from any thread by posting them to the lane of the channel.</summary>
internal abstract class ChannelHandle(ExchangeLane lane, ChannelKey key) : IChannel, IEnvironmentSender
{
    public ExchangeLane Lane => lane;

    public ChannelKey Key => key;

    public SenderEnvironment Environment => SenderEnvironment.Default with { Runtime = lane.Runtime, Time = lane.Time, Logger = lane.Logger };

    public PeerIdentity Peer => key.Peer;

    public PeerIdentity Local => key.Local;

    public bool IsReliable => lane.IsReliable;

    public PayloadFormats Formats => lane.Settings.Formats;

    public abstract bool IsClosed { get; }

    public abstract CancellationToken Closed { get; }

    /// <summary>What spans of requests over the channel contain.</summary>
    public SpanContext Spans => new(Scheme, IsReliable, lane.Settings.Telemetry);

    /// <summary>The scheme of URIs with the transport and the security of the channel.</summary>
    protected virtual string Scheme => SpanAttributes.SchemeOf(Peer);

    /// <summary>The limits of the peer; <see langword="null"/> if they are not known yet.</summary>
    public abstract MessageLimits? Limits { get; }

    /// <summary>Returns the channel, creating it if necessary. Called on the lane.</summary>
    public abstract LaneChannel Open();

    public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        try { return Begin(request, parked: false, cancellationToken).WaitAsync(); }
        catch (Exception exception) { return Failed(exception, cancellationToken); }    // not async, which saves its state
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        lane.ThrowIfOwnedByCaller();
        return Begin(request, parked: true, cancellationToken).Park();
    }

    public ValueTask<Answers> AskAsync(CoapRequest request, CancellationToken cancellationToken = default) => request?.Shape switch
    {
        AnswerShape.Observation or AnswerShape.Raw => lane.Streams(this, request).StartAsync(cancellationToken),
        AnswerShape.None => ForgetAsync(request, cancellationToken),
        AnswerShape.Group or AnswerShape.Stateless => throw NeedsClient(request),
        _ => AskOneAsync(request!, cancellationToken),
    };

    public Answers Ask(CoapRequest request, CancellationToken cancellationToken = default) => request?.Shape switch
    {
        AnswerShape.Observation or AnswerShape.Raw => lane.Streams(this, request).Start(cancellationToken),
        AnswerShape.None => SingleAnswers.Of(SendAndForget(request, cancellationToken)),
        AnswerShape.Group or AnswerShape.Stateless => throw NeedsClient(request),
        _ => Answers.Of(Send(request!, cancellationToken)),
    };

    public async ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var call = Begin(request, parked: false, cancellationToken, forgets: true);
        return NoResponseOutcome.ToDelivery(await call.Caller.Task.ConfigureAwait(false), acknowledges: !IsReliable && request.IsConfirmable);
    }

    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default)
    {
        lane.ThrowIfOwnedByCaller();
        var outcome = Begin(request, parked: true, cancellationToken, forgets: true).Caller.Park();
        return NoResponseOutcome.ToDelivery(outcome, acknowledges: !IsReliable && request.IsConfirmable);
    }

    /// <summary>The longest token that the peer accepts, in bytes; <see langword="null"/> if it is not known.</summary>
    public virtual int? PeerMaxTokenLength => null;

    /// <summary>Throws if a message of this size, in bytes, does not fit.</summary>
    /// <exception cref="ArgumentException">A message of this size is too large for the peer.</exception>
    public abstract void ThrowIfTooLarge(long size);

    /// <summary>Returns <see langword="true"/> if the request can be planned with the limits that are known so far.</summary>
    protected abstract bool TryGetLimits(CoapRequest request, in OptionSet options, out MessageLimits limits);

    /// <summary>Hands a call to the lane.</summary>
    public virtual void Post(LaneWork call, bool parked) => lane.PostRequest(call);

    /// <summary>Starts a call and returns it.</summary>
    public ClientCall Begin(CoapRequest request, bool parked, CancellationToken cancellationToken, bool forgets = false)
    {
        ArgumentNullException.ThrowIfNull(request);
        cancellationToken.ThrowIfCancellationRequested();
        RequestTarget.ThrowIfGroup(key.Peer);
        var options = RequestOptions.Of(request, key.Peer);
        if (forgets) { options = RequestOptions.Forgetting(options); }
        var call = new ClientCall(this, request, options, parked) { IsForgotten = forgets };
        if (TryGetLimits(request, options, out var limits)) { call.PlanFor(limits); }
        call.CancelOn(cancellationToken);
        Post(call, parked);
        return call;
    }

    private static ValueTask<CoapResponse> Failed(Exception exception, CancellationToken cancellationToken) =>
        exception is OperationCanceledException && cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<CoapResponse>(cancellationToken)
            : ValueTask.FromException<CoapResponse>(exception);

    private async ValueTask<Answers> AskOneAsync(CoapRequest request, CancellationToken cancellationToken) =>
        Answers.Of(await SendAsync(request, cancellationToken).ConfigureAwait(false));

    private async ValueTask<Answers> ForgetAsync(CoapRequest request, CancellationToken cancellationToken) =>
        SingleAnswers.Of(await SendAndForgetAsync(request, cancellationToken).ConfigureAwait(false));

    private NotSupportedException NeedsClient(CoapRequest request) => new(
        $"The channel to {Peer} has one peer, and {request.Describe()} asks for answers of the shape {request.Shape}. Use a client.");
}
