using System.Security.Claims;
using System.Text;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP;

/// <summary>A request that the endpoint received and passes to a handler.</summary>
/// <remarks>Safe for concurrent use. The payload and the options stay valid after the handler returns.</remarks>
public abstract class IncomingRequest : IOpenRequest
{
    private readonly ChannelKey _key;
    private RequestExtras? _extras;
    private RequestContext? _context;
    private RequestEnd? _end;

    private protected IncomingRequest(CoapMessage message, in ChannelKey key) => (Message, _key) = (message, key);

    /// <summary>The whole message.</summary>
    public CoapMessage Message { get; private set; }

    /// <summary>The method.</summary>
    public CoapCode Method => Message.Code;

    /// <summary>The options.</summary>
    public OptionSet Options => Message.Options;

    /// <summary>The payload, with the whole body. Empty if the resource streams bodies: then read <see cref="Body"/>.</summary>
    public ReadOnlyMemory<byte> Payload => Method.MayHavePayload ? Message.Payload : default;

    /// <summary>The body as a stream that can be read once: the payload, or the blocks as they arrive if the resource was mapped with <c>StreamsBody</c>.</summary>
    /// <remarks>Not safe for concurrent reads. A read throws a <see cref="CoapTransferException"/> if the transfer fails.</remarks>
    public Stream Body => ExtrasOrNew.Body ??= RequestExtras.StreamOf(Payload);

    /// <summary>The payload, decoded as UTF-8.</summary>
    public string PayloadText => Encoding.UTF8.GetString(Payload.Span);

    /// <summary>The peer that sent the request.</summary>
    public PeerIdentity Peer => _key.Peer;

    /// <summary>The local address that received the request. For a multicast request, it is the address from which the response is sent.</summary>
    public PeerIdentity Local => _key.Local;

    /// <summary>Whether the request was sent to a group. The response is delayed by a random time and can be suppressed (RFC 7252, section 8.2).</summary>
    public virtual bool IsMulticast => false;

    /// <summary>The credentials of the peer; <see langword="null"/> if neither the transport nor a stage has verified any.</summary>
    public PeerCredentials? Credentials
    {
        get => _extras?.Credentials ?? ChannelCredentials;
        internal set
        {
            if (value != Credentials) { _extras = ExtrasOrNew with { Credentials = value }; }
        }
    }

    /// <summary>
    /// The user on whose behalf the request is handled: by default, what <see cref="Credentials"/> tell. A step may set another. Never
    /// <see langword="null"/>; without credentials, it is anonymous. <see cref="PeerAuthentication"/> has the authentication types.
    /// </summary>
    /// <exception cref="ArgumentNullException">The value is <see langword="null"/>.</exception>
    public ClaimsPrincipal User
    {
        get => Context.UserOf(Credentials);
        set => Context.SetUser(value ?? throw new ArgumentNullException(nameof(value), "The user is null. An anonymous user is a new ClaimsPrincipal()."));
    }

    /// <summary>The objects that steps pass to later steps and to the handler. Empty at first.</summary>
    public IDictionary<object, object?> Items => Context.Items;

    /// <summary>The services of the request: those that a step has set, or those of <see cref="CoapServerSettings.RequestServices"/>.</summary>
    public IServiceProvider? Services { get => KnownContext?.Services ?? this.CreateServices(); set => Context.Services = value; }

    /// <summary>The template of the resource, such as "/sensors/{id}"; <see langword="null"/> if none matches or the request has not been routed.</summary>
    public string? Template => Route?.Template;

    /// <summary>Whether the request was received over a reliable transport (RFC 8323).</summary>
    public abstract bool IsReliable { get; }

    /// <summary>The channel to the peer. Use it to send requests to the peer.</summary>
    public abstract IChannel Channel { get; }

    /// <summary>
    /// Canceled when the connection or the DTLS session of the request ends, or the endpoint stops. For a plain datagram, it is also canceled when the peer
    /// resets a message of the exchange, or the network reports that the peer cannot be reached (Linux).
    /// </summary>
    /// <remarks>
    /// The end of a connection is noticed within 6 s. With <see cref="ServerMode.Sync"/>, it is not noticed while a handler blocks the thread. The token that
    /// a handler gets as an argument is the same, except for plain datagrams: there, the argument is canceled only when the endpoint stops.
    /// </remarks>
    public abstract CancellationToken RequestAborted { get; }

    internal virtual CancellationToken HandlerAborted => RequestAborted;      // the argument of handlers, which costs a plain datagram nothing

    /// <summary>The Content-Format of the payload; <see langword="null"/> if the request names none.</summary>
    public uint? ContentFormat => Options.Get<ContentFormat>()?.Value;

    /// <summary>The Content-Format that the client accepts; <see langword="null"/> if the request names none.</summary>
    public uint? Accept => Options.Get<Accept>()?.Value;

    /// <summary>The path of the resource: "/" and the segments joined by "/", without percent-encoding.</summary>
    public string Path => "/" + string.Join('/', Options.GetAll<UriPath>().Select(segment => segment.Value));

    /// <summary>The value of a placeholder of the resource's path, such as "id" of "sensors/{id}".</summary>
    /// <exception cref="ArgumentException">The path has no such placeholder.</exception>
    /// <exception cref="InvalidOperationException">The request has not been routed.</exception>
    public string this[string name] => Route is { } route
        ? route.GetValue(name, Options)
        : throw new InvalidOperationException($"The request was not routed, so it has no value '{name}'.");

    internal ref readonly ChannelKey Key => ref _key;

    /// <summary>The account that is charged for the request. It can change when the peer proves its address.</summary>
    internal abstract Account Account { get; }

    /// <summary>The lane that received the request.</summary>
    internal abstract ExchangeLane Lane { get; }

    internal ExchangeSettings Settings => Lane.Settings;

    /// <summary>The result of routing; <see langword="null"/> before the request is routed.</summary>
    internal RequestRoute? Route { get; set; }

    /// <summary>The pending answer of the handler; <see langword="null"/> unless the handler completes asynchronously.</summary>
    internal UnansweredRequest? Exchange { get; set; }

    /// <summary>How the request ended; <see langword="null"/> if it has not ended.</summary>
    internal RequestEnd? End => Root._end;

    /// <summary>Whether the empty acknowledgement has been sent, so that the response is a separate message (RFC 7252, section 5.2.2).</summary>
    internal bool IsAcknowledged { get; set; }

    /// <summary>The charge for the bytes of the request, which ends with the request; <see langword="null"/> if they are not charged.</summary>
    internal BodyCharge? BodyCharge { get => Root._extras?.BodyCharge; set => Root.ExtrasOrNew.BodyCharge = value; }

    /// <summary>Whether a step or a block of the user may have acted on the request.</summary>
    internal bool MayHaveActed { get; set; }

    /// <summary>Whether the resource has a handler for the request, and the handler was called.</summary>
    internal bool IsHandled { get; set; }

    /// <summary>Receives the answer if the endpoint made the request to itself; <see langword="null"/> otherwise.</summary>
    internal IAnswerTaker? Taker { get => _extras?.Taker; private protected init => _extras = ExtrasOrNew with { Taker = value }; }
    internal RequestTelemetry? Telemetry { get => _extras?.Telemetry; set => ExtrasOrNew.Telemetry = value; }       // null if nothing listens

    /// <summary>The state that only few requests have; see <see cref="RequestExtrasExtensions"/>.</summary>
    internal RequestExtras? Extras { get => _extras; set => _extras = value; }
    internal RequestExtras ExtrasOrNew => _extras ??= new RequestExtras();

    /// <summary>Whether the message must be acknowledged.</summary>
    internal virtual bool NeedsAcknowledgement => false;

    /// <summary>Whether the handler may block the thread that calls it.</summary>
    internal virtual bool MayBlock => false;

    /// <summary>The connection that received the request; <see langword="null"/> if the request arrived in a datagram.</summary>
    internal virtual LaneChannel? Connection => null;

    /// <summary>The credentials that the transport has verified; <see langword="null"/> on plain transports.</summary>
    private protected virtual PeerCredentials? ChannelCredentials => null;

    /// <summary>The limits of the message that carries the response.</summary>
    internal abstract MessageLimits ResponseLimits { get; }

    /// <summary>The number of bytes that may be sent in answer, including all transmissions and the empty acknowledgement (RFC 9175, section 2.4).</summary>
    internal virtual int Allowance => int.MaxValue;

    internal RequestContext? KnownContext => Original._context;

    // The request that was received. Its copies share its end.
    private IncomingRequest Root => _extras is { EndsAlone: false, Original: { } original } ? original : this;
    private IncomingRequest Original => _extras?.Original ?? this;
    // A field, because handlers and the lane use the request at the same time, and the lane replaces the extras.
    internal RequestContext Context => Original._context ?? Interlocked.CompareExchange(ref Original._context, new RequestContext(), null) ?? Original._context;

    /// <summary>Returns the value of a query argument: "" if the argument has a name only, or <see langword="null"/> if there is no such argument.</summary>
    public string? Query(string name)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        return RequestRoute.FindArgument(Options, name);
    }

    /// <summary>Sends the empty acknowledgement now instead of after <see cref="CoapEndpointSettings.AcknowledgeAfter"/>, for handlers that take long.</summary>
    /// <remarks>Does nothing if no acknowledgement is due. Safe for concurrent use.</remarks>
    public abstract void Acknowledge();

    /// <summary>Identifies the message in the deduplication table.</summary>
    internal virtual Ticket Ticket => default;

    /// <summary>Sends the answer and ends the request.</summary>
    internal void Reply(in Answer answer, Output<OutgoingMessage> output)
    {
        if (End is not null) { return; }
        var end = this.TryHandOver(answer.Response) || TrySend(answer, output) ? answer.EndOf(this) : RequestEnd.Dropped;
        this.RecordReply(answer.Response, end);
        Finish(end);
    }

    /// <summary>Ends the request without a response, because the client wants none or the protocol forbids one.</summary>
    /// <param name="acknowledgements">The output for the empty acknowledgement; <see langword="null"/> if none is due.</param>
    /// <param name="retention">How the request is remembered. Default: like an answered one.</param>
    internal void Suppress(Output<OutgoingMessage>? acknowledgements = null, RetentionClass? retention = null)
    {
        if (End is not null) { return; }
        Settle(acknowledgements, retention ?? this.Retention);
        Finish(RequestEnd.Suppressed);
    }

    /// <summary>Ends the request without a response, because a block dropped the request or its answer.</summary>
    /// <param name="wasHandled">Whether the handler has run, so that a duplicate must not run it again.</param>
    internal void Drop(bool wasHandled)
    {
        if (End is not null) { return; }
        if (Taker is { } taker) { taker.Take(Response.Overloaded, isPutOff: true); }
        else if (this.Streamed is { } streamed) { streamed.End("A filter dropped the request."); }
        else if (wasHandled) { Settle(acknowledgements: null, RetentionClasses.Of(Method)); }
        else { Forget(); }
        Finish(RequestEnd.Dropped);
    }

    void IOpenRequest.Fail() => Finish(RequestEnd.Failed);

    void IOpenRequest.Lose()
    {
        if (End is not null) { return; }
        this.Streamed?.End("The endpoint has ended.");
        Finish(RequestEnd.Lost);
    }

    /// <summary>Returns a copy of the request with the whole body, assembled from its blocks.</summary>
    internal IncomingRequest WithBody(CoapMessage whole, Block1? lastBlock) =>
        Copy(whole, ExtrasOrNew with { LastBlock = lastBlock, Original = Original });

    /// <summary>Returns a copy of the request for a handler that reads the body while its blocks arrive.</summary>
    internal IncomingRequest WithStream(CoapMessage head, IStreamedBody streamed, Stream body) =>
        Copy(head, ExtrasOrNew with { Streamed = streamed, Body = body, Original = Original, EndsAlone = true, BodyCharge = null });

    /// <summary>Returns the request without the Block1 option of its answer.</summary>
    internal IncomingRequest WithoutLastBlock() => this.LastBlock is null ? this : Copy(Message, _extras! with { LastBlock = null });

    /// <summary>Returns a copy of the request that the endpoint makes to itself. The taker receives the answer.</summary>
    internal IncomingRequest RepeatFor(IAnswerTaker taker)
    {
        var message = new CoapMessage(MessageType.NonConfirmable, Message.Code, Message.MessageId, Message.Token, Message.Options, Message.Payload);
        var repeated = Repeat(message, taker);
        repeated.Credentials = Credentials;
        return repeated;
    }

    /// <summary>Creates the request that <see cref="RepeatFor"/> returns.</summary>
    private protected abstract IncomingRequest Repeat(CoapMessage message, IAnswerTaker taker);

    /// <summary>Sends the answer in a message of the type that the transport requires. Returns <see langword="false"/> if none could be sent.</summary>
    private protected abstract bool TrySend(in Answer answer, Output<OutgoingMessage> output);

    /// <summary>Sends the empty acknowledgement if the message needs one, and nothing else. Duplicates are dropped.</summary>
    private protected virtual void Settle(Output<OutgoingMessage>? acknowledgements, RetentionClass retention) { }

    /// <summary>Ends the watch for signs that the peer is gone.</summary>
    private protected virtual void Unwatch(PeerToken token) { }

    /// <summary>Forgets the request, so that a retransmission counts as new.</summary>
    private protected virtual void Forget() { }

    /// <summary>Whether the connection of the request has ended.</summary>
    private protected virtual bool IsDisconnected => false;

    /// <summary>Makes room for another request of the connection.</summary>
    private protected virtual void Release() { }

    private IncomingRequest Copy(CoapMessage message, RequestExtras extras)
    {
        var copy = (IncomingRequest)MemberwiseClone();
        (copy.Message, copy._extras) = (message, extras);
        return copy;
    }

    // Every request ends here, once. Here its end is counted.
    private void Finish(RequestEnd end)
    {
        if (End is not null) { return; }
        Root._end = end;
        if (KnownContext?.Aborted is { } token) { Unwatch(token); }
        this.EndServices();
        if (BodyCharge is { } charge)
        {
            BodyCharge = null;
            charge.Release();
        }
        if (!this.RepliesToPeer) { return; }
        if (IsDisconnected) { end = RequestEnd.Lost; }
        if (end > RequestEnd.AnsweredLater) { Telemetry?.Abandon(end, Route?.Template); }
        Lane.Metrics[end]++;
        if (end != RequestEnd.Lost) { Release(); }
    }
}
