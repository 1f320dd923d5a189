using System.Runtime.InteropServices;
using CoAP.Accounting;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Exchanges;

/// <summary>The state that only few requests need, in a separate object to keep the others small. Copies of a request do not share it.</summary>
internal sealed record RequestExtras
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

    /// <summary>The span and the duration of the request; <see langword="null"/> if nothing listens.</summary>
    public RequestTelemetry? Telemetry { get; set; }

    public long AuthorizedUntil { get; set; }

    public long ObservedVersion { get; init; }

    /// <summary>Returns a stream that reads a payload.</summary>
    public static MemoryStream StreamOf(ReadOnlyMemory<byte> payload) => MemoryMarshal.TryGetArray(payload, out var array)
        ? new MemoryStream(array.Array!, array.Offset, array.Count, writable: false)
        : new MemoryStream(payload.ToArray(), writable: false);
}

/// <summary>The state that only few requests have.</summary>
internal static class RequestExtrasExtensions
{
    private static readonly ulong AcceptBit = OptionNumber.SeenBit(Accept.Declaration.Number);

    extension(IncomingRequest request)
    {
        /// <summary>Whether the handler was not called, for lack of room.</summary>
        public bool IsPutOff { get => request.Extras?.IsPutOff == true; set => request.ExtrasOrNew.IsPutOff = value; }

        /// <summary>The version of the resource when the request arrived. Set for requests that observe the resource.</summary>
        public long ObservedVersion { get => request.Extras?.ObservedVersion ?? 0; set => request.Extras = request.ExtrasOrNew with { ObservedVersion = value }; }

        /// <summary>The Block1 option of the answer; <see langword="null"/> if the body did not arrive in blocks (RFC 7959, section 2.3).</summary>
        public Block1? LastBlock => request.Extras?.LastBlock;

        /// <summary>When the authorizers have to be asked again; 0 for each time.</summary>
        public long AuthorizedUntil { get => request.Extras?.AuthorizedUntil ?? 0; set => request.ExtrasOrNew.AuthorizedUntil = value; }

        /// <summary>The transfer of a body that is read while blocks arrive. It also receives the answer. <see langword="null"/> for other requests.</summary>
        public IStreamedBody? Streamed => request.Extras?.Streamed;

        /// <summary>The state of the feature that sends a large response to the peer; <see langword="null"/> for the blocks of RFC 7959.</summary>
        public object? Transfer { get => request.Extras?.Transfer; set => request.Extras = request.ExtrasOrNew with { Transfer = value }; }

        /// <summary>The formats of typed payloads.</summary>
        public PayloadFormats Formats => request.Settings.Formats;

        // Copies share the context of the request that was received.
        private bool HasOriginalEnded => (request.Extras?.Original ?? request).End is not null;

        /// <summary>Whether the answer goes to the peer as a reply to this message, and not to another part of the endpoint.</summary>
        public bool RepliesToPeer => request.Extras is null or { Taker: null, Streamed: null };

        /// <summary>Whether nobody waits for an answer any more: the request, its body, its connection or the endpoint has ended. Any thread.</summary>
        public bool IsAbandoned => request.End is not null || request.Streamed?.Failure is not null || request.HandlerAborted.IsCancellationRequested;

        /// <summary>How long the answer is kept for duplicates. The library can recreate an answer if no user code has run for the request.</summary>
        public RetentionClass Retention => request.IsHandled || request.MayHaveActed ? RetentionClasses.Of(request.Method) : RetentionClass.Safe;
    }

    /// <summary>Returns how a request ends with this answer.</summary>
    public static RequestEnd EndOf(this in Answer answer, IncomingRequest request)
    {
        if (answer.Response.Code == ResponseCode.InternalServerError) { return RequestEnd.Failed; }
        if (!request.IsHandled && !answer.Response.IsSuccess) { return RequestEnd.Refused; }
        return answer.IsAcknowledged ? RequestEnd.AnsweredLater : RequestEnd.Answered;
    }

    /// <summary>Creates the services of the request. Returns <see langword="null"/> if the endpoint has none, or nothing uses them any more.</summary>
    public static IServiceProvider? CreateServices(this IncomingRequest request)
    {
        if (request.Settings.RequestServices is not { } create || (request.KnownContext?.HasEnded ?? request.HasOriginalEnded)) { return null; }
        var context = request.Context;
        var services = context.AddCreated(create(request), request.Lane);
        if (request.HasOriginalEnded) { context.End(request.Lane); }     // it may have ended before there was a context
        return context.HasEnded ? null : services;
    }

    /// <summary>Keeps the services of the request, even if it ends, until <see cref="ReleaseServices"/> is called.</summary>
    public static void HoldServices(this IncomingRequest request)
    {
        if (request.Settings.RequestServices is not null) { request.Context.Hold(); }
    }

    /// <summary>Ends a hold on the services of the request. Any thread.</summary>
    public static void ReleaseServices(this IncomingRequest request)
    {
        if (request.Settings.RequestServices is not null) { request.Context.Release(request.Lane); }
    }

    /// <summary>Called on the lane when the request has ended. Its services end when nothing else holds them.</summary>
    public static void EndServices(this IncomingRequest request)
    {
        if (request.Settings.RequestServices is null) { return; }
        Interlocked.MemoryBarrier();    // a thread that creates services now sees the end of the request, or its services are seen here
        if (request.Extras is { EndsAlone: true }) { request.ReleaseServices(); }
        else { request.KnownContext?.End(request.Lane); }
    }

    /// <summary>Returns the response, or 4.06 (Not Acceptable) if its format is one that the client does not accept.</summary>
    /// <remarks>A handler with a single format can therefore ignore Accept. The answer to an unsafe method stands, because the handler has acted.</remarks>
    public static CoapResponse Acceptable(this IncomingRequest request, CoapResponse response)
    {
        if ((request.Options.Seen & AcceptBit) == 0 || !response.IsSuccess || !request.Method.IsSafe) { return response; }
        return response.ContentFormat is { } format && request.Accept is { } wanted && format != wanted ? Response.NotAcceptable : response;
    }

    /// <summary>Records that the handler has answered, if something listens.</summary>
    public static void RecordAnswer(this IncomingRequest request, CoapResponse response) =>
        request.Telemetry?.Answer(request.Acceptable(response).Code, request.RepliesToPeer, request.Route?.Template);

    /// <summary>Records that a response was sent to the peer, if something listens.</summary>
    public static void RecordReply(this IncomingRequest request, CoapResponse response, RequestEnd end)
    {
        if (request.Telemetry is not { } telemetry || !request.RepliesToPeer) { return; }
        var isOfLimit = response.IsChallenge || response.Code == ResponseCode.TooManyRequests || response.Code == ResponseCode.ServiceUnavailable;
        telemetry.Reply(response.Code, end, request.Route?.Template, isForgeable: isOfLimit && request.Account.IsUnverified);
    }

    /// <summary>Gives the response to the part of the endpoint that waits for it. Returns <see langword="false"/> if the peer waits for it.</summary>
    public static bool TryHandOver(this IncomingRequest request, CoapResponse response)
    {
        if (request.RepliesToPeer) { return false; }
        if (request.Taker is { } taker) { taker.Take(response, request.IsPutOff); }
        else { request.Streamed!.OnAnswer(response); }
        return true;
    }

    /// <summary>Returns the size of the message that would carry the response, in bytes.</summary>
    public static int SizeOf(this IncomingRequest request, CoapResponse response) =>
        (int)MessageLimits.SizeOf(response.Options, response.Payload.Length, request.IsReliable, request.Message.TokenInPlace.Length);
}
