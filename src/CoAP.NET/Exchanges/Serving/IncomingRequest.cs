using System.Runtime.InteropServices;
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
    private static readonly ulong AcceptBit = OptionNumber.SeenBit(CoAP.Options.Accept.Declaration.Number);

    private readonly ChannelKey _key;
    private Extras? _extras;
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
    public Stream Body => ExtrasOrNew.Body ??= StreamOf(Payload);

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
    public IServiceProvider? Services { get => KnownContext?.Services ?? CreateServices(); set => Context.Services = value; }

    /// <summary>The template of the resource, such as "/sensors/{id}"; <see langword="null"/> if none matches or the request has not been routed.</summary>
    public string? Template => Route?.Template;

    /// <summary>Whether the request was received over a reliable transport (RFC 8323).</summary>
    public abstract bool IsReliable { get; }

    /// <summary>
    /// Whether the peer receives what is sent to its address: it has a connection or a session, or has proven its address (RFC 9175,
    /// section 2.4). Otherwise, the address may be forged, so keep nothing for it that others need.
    /// </summary>
    public bool IsPeerVerified => !Account.IsUnverified;

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

    /// <summary>The wait for a handler that completes asynchronously; <see langword="null"/> for others. Its deadline sends the empty acknowledgement.</summary>
    internal ILaneDeadline? Unanswered { get; set; }

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

    /// <summary>The span and the duration of the request; <see langword="null"/> if nothing listens.</summary>
    internal RequestTelemetry? Telemetry { get => _extras?.Telemetry; set => ExtrasOrNew.Telemetry = value; }

    /// <summary>Whether the handler was not called, for lack of room.</summary>
    internal bool IsPutOff { get => _extras?.IsPutOff == true; set => ExtrasOrNew.IsPutOff = value; }

    /// <summary>The version of the resource when the request arrived. Set for requests that observe the resource.</summary>
    internal long ObservedVersion { get => _extras?.ObservedVersion ?? 0; set => _extras = ExtrasOrNew with { ObservedVersion = value }; }

    /// <summary>The Block1 option of the answer; <see langword="null"/> if the body did not arrive in blocks (RFC 7959, section 2.3).</summary>
    internal Block1? LastBlock => _extras?.LastBlock;

    /// <summary>When the authorizers have to be asked again; 0 for each time.</summary>
    internal long AuthorizedUntil { get => _extras?.AuthorizedUntil ?? 0; set => ExtrasOrNew.AuthorizedUntil = value; }

    /// <summary>The transfer of a body that is read while blocks arrive. It also receives the answer. <see langword="null"/> for other requests.</summary>
    internal IStreamedBody? Streamed => _extras?.Streamed;

    /// <summary>The state of the feature that sends a large response to the peer; <see langword="null"/> for the blocks of RFC 7959.</summary>
    internal object? Transfer { get => _extras?.Transfer; set => _extras = ExtrasOrNew with { Transfer = value }; }

    /// <summary>The formats of typed payloads.</summary>
    internal PayloadFormats Formats => Settings.Formats;

    /// <summary>Whether the answer goes to the peer as a reply to this message, and not to another part of the endpoint.</summary>
    internal bool RepliesToPeer => _extras is null or { Taker: null, Streamed: null };

    /// <summary>Whether nobody waits for an answer any more: the request, its body, its connection or the endpoint has ended. Any thread.</summary>
    internal bool IsAbandoned => End is not null || Streamed?.Failure is not null || IsPeerGone;

    /// <summary>How long the answer is kept for duplicates. The library can recreate an answer if no user code has run for the request.</summary>
    internal RetentionClass Retention => IsHandled || MayHaveActed ? RetentionClasses.Of(Method) : RetentionClass.Safe;

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

    /// <summary>What steps and handlers keep with the request; <see langword="null"/> if they keep nothing.</summary>
    private protected RequestContext? KnownContext => Original._context;

    // A field, because handlers and the lane use the request at the same time, and the lane replaces the extras.
    private protected RequestContext Context =>
        Original._context ?? Interlocked.CompareExchange(ref Original._context, new RequestContext(), null) ?? Original._context;

    /// <summary>Creates the services of a request; <see langword="null"/> if requests have none.</summary>
    private protected abstract Func<IncomingRequest, IServiceProvider>? ServiceFactory { get; }

    // The request that was received. Its copies share its end.
    private IncomingRequest Root => _extras is { EndsAlone: false, Original: { } original } ? original : this;

    private IncomingRequest Original => _extras?.Original ?? this;

    private Extras ExtrasOrNew => _extras ??= new Extras();

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
        var end = TryHandOver(answer.Response) || TrySend(answer, output) ? EndOf(answer) : RequestEnd.Dropped;
        RecordReply(answer.Response, end);
        Finish(end);
    }

    /// <summary>Gives the response to the part of the endpoint that waits for it. Returns <see langword="false"/> if the peer waits for it.</summary>
    internal bool TryHandOver(CoapResponse response)
    {
        if (RepliesToPeer) { return false; }
        if (Taker is { } taker) { taker.Take(response, IsPutOff); }
        else { Streamed!.OnAnswer(response); }
        return true;
    }

    /// <summary>Ends the request without a response, because the client wants none or the protocol forbids one.</summary>
    /// <param name="acknowledgements">The output for the empty acknowledgement; <see langword="null"/> if none is due.</param>
    /// <param name="retention">How the request is remembered. Default: like an answered one.</param>
    internal void Suppress(Output<OutgoingMessage>? acknowledgements = null, RetentionClass? retention = null)
    {
        if (End is not null) { return; }
        Settle(acknowledgements, retention ?? Retention);
        Finish(RequestEnd.Suppressed);
    }

    /// <summary>Ends the request without a response, because a block dropped the request or its answer.</summary>
    /// <param name="wasHandled">Whether the handler has run, so that a duplicate must not run it again.</param>
    internal void Drop(bool wasHandled)
    {
        if (End is not null) { return; }
        if (Taker is { } taker) { taker.Take(Response.Overloaded, isPutOff: true); }
        else if (Streamed is { } streamed) { streamed.End("A filter dropped the request."); }
        else if (wasHandled) { Settle(acknowledgements: null, RetentionClasses.Of(Method)); }
        else { Forget(); }
        Finish(RequestEnd.Dropped);
    }

    void IOpenRequest.Fail() => Finish(RequestEnd.Failed);

    void IOpenRequest.Lose()
    {
        if (End is not null) { return; }
        Streamed?.End("The endpoint has ended.");
        Finish(RequestEnd.Lost);
    }

    /// <summary>Returns a copy of the request with the whole body, assembled from its blocks.</summary>
    internal IncomingRequest WithBody(CoapMessage whole, Block1? lastBlock) =>
        Copy(whole, ExtrasOrNew with { LastBlock = lastBlock, Original = Original });

    /// <summary>Returns a copy of the request for a handler that reads the body while its blocks arrive.</summary>
    internal IncomingRequest WithStream(CoapMessage head, IStreamedBody streamed, Stream body) =>
        Copy(head, ExtrasOrNew with { Streamed = streamed, Body = body, Original = Original, EndsAlone = true, BodyCharge = null });

    /// <summary>Returns the request without the Block1 option of its answer.</summary>
    internal IncomingRequest WithoutLastBlock() => LastBlock is null ? this : Copy(Message, _extras! with { LastBlock = null });

    /// <summary>Returns a copy of the request that the endpoint makes to itself. The taker receives the answer.</summary>
    internal IncomingRequest RepeatFor(IAnswerTaker taker)
    {
        var message = new CoapMessage(MessageType.NonConfirmable, Message.Code, Message.MessageId, Message.Token, Message.Options, Message.Payload);
        var repeated = Repeat(message, taker);
        repeated.Credentials = Credentials;
        return repeated;
    }

    /// <summary>Takes over the charge for a body that has arrived in blocks. The bytes of the last block have been copied.</summary>
    internal void TakeOver(BodyCharge? charge)
    {
        if (charge is null) { return; }
        BodyCharge?.Release();
        BodyCharge = charge;
    }

    /// <summary>Returns the response, or 4.06 (Not Acceptable) if its format is one that the client does not accept.</summary>
    /// <remarks>A handler with a single format can therefore ignore Accept. The answer to an unsafe method stands, because the handler has acted.</remarks>
    internal CoapResponse Acceptable(CoapResponse response)
    {
        if ((Options.Seen & AcceptBit) == 0 || !response.IsSuccess || !Method.IsSafe) { return response; }
        return response.ContentFormat is { } format && Accept is { } wanted && format != wanted ? Response.NotAcceptable : response;
    }

    /// <summary>Returns a response whose value has become its payload, in the format that the client accepts.</summary>
    /// <exception cref="NotSupportedException">No format handles the value.</exception>
    internal CoapResponse WithPayload(CoapResponse response) =>
        response.Representation is { } representation ? representation.Resolve(response, Formats, Accept, Method.IsSafe) : response;

    /// <summary>Returns the size of the message that would carry the response, in bytes.</summary>
    internal int SizeOf(CoapResponse response) =>
        (int)MessageLimits.SizeOf(response.Options, response.Payload.Length, IsReliable, Message.TokenInPlace.Length);

    /// <summary>Records that the handler has answered, if something listens.</summary>
    internal void RecordAnswer(CoapResponse response) => Telemetry?.Answer(Acceptable(response).Code, RepliesToPeer, Route?.Template);

    /// <summary>Keeps the services of the request, even if it ends, until <see cref="ReleaseServices"/> is called.</summary>
    internal void HoldServices()
    {
        if (ServiceFactory is not null) { Context.Hold(); }
    }

    /// <summary>Removes the services that the endpoint has created. The caller has to dispose of them; <see langword="null"/> if there are none.</summary>
    internal IAsyncDisposable? TakeServices() => KnownContext?.TakeCreated();

    /// <summary>Ends a hold on the services of the request. Any thread.</summary>
    internal void ReleaseServices()
    {
        if (ServiceFactory is not null) { Context.Release(Lane); }
    }

    /// <summary>Creates the request that <see cref="RepeatFor"/> returns.</summary>
    private protected abstract IncomingRequest Repeat(CoapMessage message, IAnswerTaker taker);

    /// <summary>Sends the answer in a message of the type that the transport requires. Returns <see langword="false"/> if none could be sent.</summary>
    private protected abstract bool TrySend(in Answer answer, Output<OutgoingMessage> output);

    /// <summary>Sends the empty acknowledgement if the message needs one, and nothing else. Duplicates are dropped.</summary>
    private protected virtual void Settle(Output<OutgoingMessage>? acknowledgements, RetentionClass retention) { }

    /// <summary>Ends the watch for signs that the peer is gone.</summary>
    private protected virtual void Unwatch(PeerToken token) { }

    // Its token may fire a little later.
    private protected virtual bool IsPeerGone => HandlerAborted.IsCancellationRequested;

    /// <summary>Forgets the request, so that a retransmission counts as new.</summary>
    private protected virtual void Forget() { }

    /// <summary>Whether the connection of the request has ended.</summary>
    private protected virtual bool IsDisconnected => false;

    /// <summary>Makes room for another request of the connection.</summary>
    private protected virtual void Release() { }

    private static MemoryStream StreamOf(ReadOnlyMemory<byte> payload) => MemoryMarshal.TryGetArray(payload, out var array)
        ? new MemoryStream(array.Array!, array.Offset, array.Count, writable: false)
        : new MemoryStream(payload.ToArray(), writable: false);

    private IncomingRequest Copy(CoapMessage message, Extras extras)
    {
        var copy = (IncomingRequest)MemberwiseClone();
        (copy.Message, copy._extras) = (message, extras);
        return copy;
    }

    // Returns null if the endpoint has no services, or nothing uses them any more.
    private IServiceProvider? CreateServices()
    {
        if (ServiceFactory is not { } create || (KnownContext?.HasEnded ?? Original.End is not null)) { return null; }
        var context = Context;
        var services = context.AddCreated(create(this), Lane);
        if (Original.End is not null) { context.End(Lane); }     // it may have ended before there was a context
        return context.HasEnded ? null : services;
    }

    // The request has ended. Its services end when nothing else holds them.
    private void EndServices()
    {
        if (ServiceFactory is null) { return; }
        Interlocked.MemoryBarrier();    // a thread that creates services now sees the end of the request, or its services are seen here
        if (_extras is { EndsAlone: true }) { ReleaseServices(); }
        else { KnownContext?.End(Lane); }
    }

    // How the request ends with an answer.
    private RequestEnd EndOf(in Answer answer)
    {
        if (answer.Response.Code == ResponseCode.InternalServerError) { return RequestEnd.Failed; }
        if (!IsHandled && !answer.Response.IsSuccess) { return RequestEnd.Refused; }
        return answer.IsAcknowledged ? RequestEnd.AnsweredLater : RequestEnd.Answered;
    }

    // Records that a response was sent to the peer, if something listens.
    private void RecordReply(CoapResponse response, RequestEnd end)
    {
        if (Telemetry is not { } telemetry || !RepliesToPeer) { return; }
        var isOfLimit = response.IsChallenge || response.Code == ResponseCode.TooManyRequests || response.Code == ResponseCode.ServiceUnavailable;
        telemetry.Reply(response.Code, end, Route?.Template, isForgeable: isOfLimit && Account.IsUnverified);
    }

    // Every request ends here, once. Here its end is counted.
    private void Finish(RequestEnd end)
    {
        if (End is not null) { return; }
        Root._end = end;
        if (KnownContext?.Aborted is { } token) { Unwatch(token); }
        EndServices();
        if (BodyCharge is { } charge)
        {
            BodyCharge = null;
            charge.Release();
        }
        if (!RepliesToPeer) { return; }
        if (IsDisconnected) { end = RequestEnd.Lost; }
        if (end > RequestEnd.AnsweredLater) { Telemetry?.Abandon(end, Route?.Template); }
        Lane.Metrics[end]++;
        if (end != RequestEnd.Lost) { Release(); }
    }

    /// <summary>The state that only few requests need, in a separate object to keep the others small. Copies of a request do not share it.</summary>
    private sealed record Extras
    {
        // The part of the endpoint that receives the answer. It is of one kind or the other, and thousands of observers hold these objects.
        private readonly object? _receiver;

        /// <summary>The request of which this is a copy; <see langword="null"/> if it is not a copy.</summary>
        public IncomingRequest? Original { get; init; }

        /// <summary>Whether the copy ends by itself, and not together with its original.</summary>
        public bool EndsAlone { get; init; }

        public Block1? LastBlock { get; init; }

        /// <summary>The charge for the bytes of the request. Only that of the root counts.</summary>
        public BodyCharge? BodyCharge { get; set; }

        public IStreamedBody? Streamed { get => _receiver as IStreamedBody; init => _receiver = value; }

        public Stream? Body { get; set; }

        public object? Transfer { get; init; }

        public IAnswerTaker? Taker { get => _receiver as IAnswerTaker; init => _receiver = value; }

        public bool IsPutOff { get; set; }

        public PeerCredentials? Credentials { get; init; }

        public RequestTelemetry? Telemetry { get; set; }

        public long AuthorizedUntil { get; set; }

        public long ObservedVersion { get; init; }
    }
}
