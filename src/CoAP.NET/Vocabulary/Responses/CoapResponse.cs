using System.Text;
using CoAP.Blockwise;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>A response. Handlers create it with <see cref="Response"/>; clients receive it.</summary>
/// <remarks>Immutable. Safe for concurrent use.</remarks>
public sealed class CoapResponse
{
    // The source, the value or the computed tag of a sent response, or the request of a received one. One field for all keeps responses small.
    private object? _related;
    private readonly OptionSet _options;

    /// <summary>Creates a response without options and payload.</summary>
    /// <exception cref="ArgumentException">The code is not a response code.</exception>
    public CoapResponse(CoapCode code)
    {
        if (!code.IsResponse) { throw new ArgumentException($"Code {code} is not a response code; response codes have class 2, 4 or 5.", nameof(code)); }
        Code = code;
    }

    /// <summary>Creates a response. The payload is dropped if the code does not allow one.</summary>
    internal CoapResponse(CoapCode code, in OptionSet options, ReadOnlyMemory<byte> payload)
        : this(code)
    {
        _options = options;
        Payload = code.MayHavePayload ? payload : default;
    }

    private CoapResponse(CoapResponse original, in OptionSet options)
        : this(original.Code, options, original.Payload) => _related = original._related is CoapRequest ? null : original._related;

    /// <summary>The response code.</summary>
    public CoapCode Code { get; }

    /// <summary>The options.</summary>
    /// <exception cref="ArgumentException">An option is not defined for responses, or there are two ETags (RFC 7252, sections 5.4 and 5.10.6.1).</exception>
    public OptionSet Options { get => _options; init => _options = OptionCheck.OfResponse(value); }

    /// <summary>
    /// The payload. The Content-Format option names its format; an error without that option has a diagnostic text (RFC 7252, section 5.5). The payload
    /// is not copied; do not change it after you have returned the response.
    /// </summary>
    /// <exception cref="ArgumentException">The code is 2.03, which has no payload (RFC 7252, section 5.5).</exception>
    public ReadOnlyMemory<byte> Payload
    {
        get;
        init => field = value.IsEmpty || Code.MayHavePayload
            ? value
            : throw new ArgumentException($"A response with code {Code} cannot have a payload (RFC 7252, section 5.5).", nameof(Payload));
    }

    /// <summary>
    /// The stream from which the payload is read while it is sent; see
    /// <see cref="Response.Content(Stream, uint, long?, ReadOnlySpan{CoapOption})"/>.
    /// </summary>
    internal BodySource? Source { get => _related as BodySource; init => _related = value; }

    /// <summary>The value that becomes the payload when the format is selected; <see langword="null"/> if the response has its payload.</summary>
    internal Representation? Representation { get => _related as Representation; init => _related = value; }

    /// <summary>The entity tag that the library has computed; <see langword="null"/> if it has computed none. Any thread.</summary>
    internal ETag? ComputedTag => Volatile.Read(ref _related) as ETag;

    /// <summary>Returns the entity tag of the payload in its format, and keeps it: a response that is sent often is hashed once. Any thread.</summary>
    internal ETag ComputeTag()
    {
        if (ComputedTag is { } computed) { return computed; }
        var tag = BodyKey.TagOf(Payload.Span, ContentFormat);
        Interlocked.CompareExchange(ref _related, tag, null);
        return tag;
    }

    /// <summary>
    /// Closes the stream of a response that is not sent. The stream belongs to the handler and may be slow, so it is closed on the thread pool.
    /// </summary>
    internal void CloseSource()
    {
        if (Source is { } source) { _ = Task.Run(source.Stream.Dispose); }
    }

    /// <summary>Whether the code has class 2.</summary>
    public bool IsSuccess => Code.IsSuccess;

    /// <summary>Whether this is a 4.01 with an Echo option. It is piggybacked or non-confirmable, and sent once (RFC 9175, section 2.4, item 3).</summary>
    internal bool IsChallenge => Code == ResponseCode.Unauthorized && Options.Contains<Echo>();

    /// <summary>The payload, decoded as UTF-8.</summary>
    public string PayloadText => Encoding.UTF8.GetString(Payload.Span);

    /// <summary>The Content-Format of the payload; <see langword="null"/> if the response names none.</summary>
    public uint? ContentFormat => Options.Get<ContentFormat>()?.Value;

    /// <summary>The problem details of an error; <see langword="null"/> if there are none or they are malformed (RFC 9290). Parsed on each call.</summary>
    public ProblemDetails? Problem => !IsSuccess && ContentFormat == ContentFormats.ConciseProblemDetails
        && ProblemDetails.TryRead(Payload, out var problem) ? problem : null;

    /// <summary>The peer that sent the response. Not set in a response that a handler creates.</summary>
    public PeerIdentity Remote { get; init; }

    /// <summary>The request that this response answers; <see langword="null"/> in a response that a handler creates.</summary>
    internal CoapRequest? Asked { get => _related as CoapRequest; init => _related = value; }

    /// <summary>The time from the first transmission of the request to the response. Zero in a response that a handler creates.</summary>
    public TimeSpan RoundTripTime { get; init; }

    /// <summary>
    /// Whether the peer had accepted blocks of the request's body before it sent this response, and may have acted on them
    /// (RFC 7959, section 2.10).
    /// </summary>
    internal bool FollowsBlocks { get; init; }

    /// <summary>
    /// Whether the response comes from a <see cref="ResponseCache"/>, including responses that the server has just validated
    /// (RFC 7252, section 5.6), or is a 4.29 or 5.03 whose time has not passed (<see cref="CoapClientSettings.MaxRetryAfter"/>).
    /// </summary>
    public bool IsFromCache { get; init; }

    /// <summary>The time since a cached response was received or validated, from which its Max-Age counts. Zero if the response is not from a cache.</summary>
    public TimeSpan Age { get; init; }

    /// <summary>The time after which the client may try again: the Max-Age of a 4.29 or 5.03. <see langword="null"/> for other responses, and without Max-Age.</summary>
    public TimeSpan? RetryAfter =>
        (Code == ResponseCode.TooManyRequests || Code == ResponseCode.ServiceUnavailable) && Options.Get<MaxAge>() is { Value: var seconds }
            ? TimeSpan.FromSeconds(seconds)
            : null;

    /// <summary>Returns a response with the same code and payload, or source of the payload, and with additional options.</summary>
    internal CoapResponse With(params ReadOnlySpan<CoapOption> options) => new(this, Options.With(options));

    /// <summary>Returns a response with the same code and options, and with another source of the payload.</summary>
    internal CoapResponse With(BodySource source) => new(Code) { Options = Options, Source = source };

    /// <summary>Returns this response, or throws if it is an error.</summary>
    /// <exception cref="CoapResponseException">The code has class 4 or 5.</exception>
    public CoapResponse EnsureSuccess()
    {
        if (IsSuccess) { return this; }
        var problem = Problem;
        var isText = ContentFormat is null && !Payload.IsEmpty;
        var diagnostic = problem is not null ? CoapResponseException.TextOf(problem) : isText ? PayloadText : null;
        throw new CoapResponseException(Code, diagnostic, Asked, Remote) { Problem = problem, Options = Options };
    }

    /// <summary>Returns the code and the size of the payload.</summary>
    public override string ToString() => $"{Code}, {Payload.Length} bytes";
}
