using CoAP.Options;

namespace CoAP;

/// <summary>A request that a client or a channel sends.</summary>
/// <remarks>Immutable. The same request can be sent several times and from several threads, unless it has a <see cref="Body"/>.</remarks>
public sealed class CoapRequest
{
    private OptionSet _options;
    private string? _uri;
    private BodySource? _body;
    private ReadOnlyMemory<byte> _payload;
    private bool _isResolved;
    private bool _isNonConfirmable;
    // In ticks; 0 stands for null, which makes requests smaller.
    private readonly long _timeout;
    private readonly long _responseTimeout;
    private long _endsAt;
    private AskedAnswers? _asked;       // null stands for one answer

    /// <summary>Creates a request for the resource that its options name.</summary>
    /// <exception cref="ArgumentException">The code is not a method.</exception>
    public CoapRequest(CoapCode method)
    {
        if (!method.IsRequest) { throw new ArgumentException($"Code {method} is not a method; methods are 0.01 to 0.31.", nameof(method)); }
        Method = method;
    }

    /// <summary>Creates a request for the resource that a URI names.</summary>
    /// <param name="method">The method.</param>
    /// <param name="uri">An absolute URI such as "coap://host/path" or, over a channel, a path such as "/path?query".</param>
    /// <exception cref="ArgumentException">The code is not a method.</exception>
    public CoapRequest(CoapCode method, string uri)
        : this(method)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        _uri = uri;
    }

    /// <summary>The method.</summary>
    public CoapCode Method { get; }

    /// <summary>The answers that the request asks for. Methods such as <c>ObserveAsync</c> and <c>MulticastAsync</c> set it.</summary>
    public AnswerShape Shape => _asked?.Shape ?? AnswerShape.One;

    /// <summary>The URI. Its path and query are sent as options.</summary>
    public string? Uri => _isResolved ? null : _uri;

    /// <summary>
    /// The options in addition to those of the URI. A request with a block option is sent as it is: the caller controls the block-wise transfer.
    /// </summary>
    /// <exception cref="ArgumentException">Location-Path, Location-Query or Max-Age, which are not defined for requests (RFC 7252, section 5.4).</exception>
    public OptionSet Options { get => _options; init => _options = OptionCheck.OfRequest(value); }

    /// <summary>
    /// The body. It is not copied; do not change it before the call completes. A body that does not fit into a message is sent in blocks
    /// (RFC 7959).
    /// </summary>
    /// <exception cref="ArgumentException">
    /// The method is GET or DELETE, which have no payload (RFC 7252, section 5.5), or <see cref="Body"/> is set, too.
    /// </exception>
    public ReadOnlyMemory<byte> Payload
    {
        get => _payload;
        init
        {
            if (!value.IsEmpty) { CheckOnly(nameof(Payload), _body is null); }
            _payload = value;
        }
    }

    /// <summary>The source from which the body is read while it is sent, instead of <see cref="Payload"/>.</summary>
    /// <inheritdoc cref="Payload" path="/exception"/>
    public BodySource? Body
    {
        get => _body;
        init
        {
            if (value is not null) { CheckOnly(nameof(Body), Payload.IsEmpty); }
            _body = value;
        }
    }

    /// <summary>
    /// The target to which the body of a successful response is written, instead of <see cref="CoapResponse.Payload"/>.
    /// Default: <see langword="null"/>.
    /// </summary>
    public BodyTarget? ResponseBody { get; init; }

    /// <summary>Called with the progress of the transfer: on the calling thread in a sync call, between awaits in an async call.</summary>
    public IProgress<TransferProgress>? Progress { get; init; }

    /// <summary>
    /// The largest block of this request and its response, in bytes: a power of two from 16 to 1,024. Default: the block size of the settings.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not one of these sizes.</exception>
    public int? PreferredBlockSize { get; init => field = value is { } size ? Bound.BlockSize(size) : null; }

    /// <summary>The position from which to resume a download after a <see cref="CoapTransferException"/>. Default: the beginning.</summary>
    public TransferPosition? ResumeFrom { get; init; }

    /// <summary>
    /// The way in which large bodies are sent: in sets of non-confirmable blocks (RFC 9177) or one block after another (RFC 7959). Default: the mode
    /// of the settings.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not defined.</exception>
    public RobustMode? RobustMode { get; init => field = Bound.Defined(value); }

    /// <summary>Whether the request is confirmable on datagram transports (RFC 7252, section 4.2). Default: <see langword="true"/>.</summary>
    public bool IsConfirmable { get => !_isNonConfirmable; init => _isNonConfirmable = !value; }

    /// <summary>
    /// Whether the request is sent even if the client's cache has a response. The new response replaces the cached one (RFC 7252, section 5.6.1).
    /// </summary>
    public bool IgnoresCache { get; init; }

    /// <summary>The token; <see langword="null"/> if the lane draws one. No other outstanding request to the peer may have the same token.</summary>
    internal Token? Token { get; init; }

    /// <summary>The transmission parameters of this request. Default: those of the endpoint (RFC 7252, section 4.8).</summary>
    public TransmissionParameters? Transmission { get; init; }

    /// <summary>
    /// How long to wait for the response after the acknowledgement. Default: the value of the settings; NON_LIFETIME for a non-confirmable request.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? ResponseTimeout
    {
        get => _responseTimeout == 0 ? null : TimeSpan.FromTicks(_responseTimeout);
        init => _responseTimeout = Bound.Positive(value)?.Ticks ?? 0;
    }

    /// <summary>
    /// The longest time that the whole call may take, from name resolution to the last byte of the response. After that, the call fails with
    /// <see cref="CoapTimeoutException"/>. For an observation, it limits only the registration. Default: <see cref="CoapClientSettings.Timeout"/>.
    /// <see cref="System.Threading.Timeout.InfiniteTimeSpan"/> removes that limit.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan? Timeout
    {
        get => _timeout == 0 ? null : TimeSpan.FromTicks(_timeout);
        init => _timeout = Bound.PositiveOrInfinite(value)?.Ticks ?? 0;
    }

    /// <summary>The end of the call as a timestamp of the client's clock; <see langword="null"/> if <see cref="Timeout"/> has not started to run.</summary>
    internal long? EndsAt => _endsAt == 0 ? null : _endsAt;

    /// <summary>What the sender needs to know for the shape of the answers; <see langword="null"/> if nothing.</summary>
    internal object? Details => _asked?.Details;

    /// <summary>Whether the request bypasses the cache, because its bodies are streamed or the response is part of a body.</summary>
    internal bool PassesCache => Method.IsSafe && (Body is not null || ResponseBody is not null || ResumeFrom is not null);

    /// <summary>Returns a copy of the request with these options, which include those of the URI.</summary>
    /// <param name="options">The options.</param>
    /// <param name="endsAt">The end of the call as a timestamp of the client's clock; 0 if the timeout has not started to run.</param>
    internal CoapRequest Resolved(OptionSet options, long endsAt = 0)
    {
        var resolved = (CoapRequest)MemberwiseClone();
        (resolved._isResolved, resolved._options, resolved._endsAt) = (true, options, endsAt);
        return resolved;
    }

    /// <summary>Returns a copy of the request, which asks for the same answers, with another URI, other options or another payload.</summary>
    /// <param name="uri">The URI. Default: as it is.</param>
    /// <param name="options">The options. Default: as they are.</param>
    /// <param name="payload">The body. Default: as it is.</param>
    /// <exception cref="ArgumentException">The URI is empty, or such a request cannot have these options or this payload.</exception>
    public CoapRequest With(string? uri = null, OptionSet? options = null, ReadOnlyMemory<byte>? payload = null)
    {
        var changed = (CoapRequest)MemberwiseClone();
        if (uri is not null)
        {
            ArgumentException.ThrowIfNullOrEmpty(uri);
            (changed._uri, changed._isResolved) = (uri, false);
        }
        if (options is { } all) { changed._options = OptionCheck.OfRequest(all); }
        if (payload is { } bytes)
        {
            if (!bytes.IsEmpty) { CheckOnly(nameof(payload), _body is null); }
            changed._payload = bytes;
        }
        return changed;
    }

    /// <summary>Returns a copy of the request that asks for other answers.</summary>
    /// <param name="shape">The shape of the answers.</param>
    /// <param name="request">The request.</param>
    /// <param name="details">See <see cref="Details"/>.</param>
    internal static CoapRequest AskingFor(AnswerShape shape, CoapRequest request, object? details = null)
    {
        ArgumentNullException.ThrowIfNull(request);
        if (shape == request.Shape && details == request.Details) { return request; }
        var asking = (CoapRequest)request.MemberwiseClone();
        asking._asked = shape == AnswerShape.One && details is null ? null : new(shape, details);
        return asking;
    }

    /// <summary>Returns a copy of the request for the members of a group, which is not confirmable (RFC 7252, section 8.1).</summary>
    internal CoapRequest ToGroup()
    {
        var toGroup = (CoapRequest)MemberwiseClone();
        (toGroup._asked, toGroup._isNonConfirmable) = (new(AnswerShape.Group, Details), true);
        return toGroup;
    }

    /// <summary>Returns the request with an absolute URI. A URI that is absolute stays as it is.</summary>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    internal CoapRequest ResolvedAgainst(CoapUri baseUri)
    {
        if (Uri is not { } uri) { return this; }
        var absolute = (CoapRequest)MemberwiseClone();
        absolute._uri = baseUri.Resolve(uri).ToString();
        return absolute;
    }

    /// <summary>
    /// Whether the request can be sent again after a failure: it has no <see cref="ResponseBody"/>, which may already have received a part, and its
    /// <see cref="Body"/>, if it has one, is read from a seekable stream.
    /// </summary>
    public bool IsRepeatable => ResponseBody is null && Body is not { CanRestart: false };

    /// <summary>
    /// Returns a request that sends the same again: this request, or a copy whose <see cref="Body"/> is read from its beginning again. <see langword="null"/>
    /// if it is not <see cref="IsRepeatable"/>.
    /// </summary>
    /// <remarks>Call it after the earlier call has ended, because it moves the position of a stream.</remarks>
    public CoapRequest? TryRepeat()
    {
        if (!IsRepeatable || Body is null) { return IsRepeatable ? this : null; }
        var repeated = (CoapRequest)MemberwiseClone();
        repeated._body = Body.Restarted();
        return repeated;
    }

    /// <summary>Returns the time limit of a whole call, or <see langword="null"/> if there is none.</summary>
    /// <param name="own">The value of the request.</param>
    /// <param name="setting">The value of the settings.</param>
    internal static TimeSpan? TotalTime(TimeSpan? own, TimeSpan? setting) =>
        (own ?? setting) is { } total && total != System.Threading.Timeout.InfiniteTimeSpan ? total : null;

    /// <summary>Returns the name of the method, and the URI from the caller or from the options.</summary>
    internal string Describe() => $"{CodeNames.OfMethod(Method)} {_uri ?? PathAndQuery}";

    private void CheckOnly(string name, bool isOnly)
    {
        if (!Method.MayHavePayload) { throw new ArgumentException($"A {CodeNames.OfMethod(Method)} request cannot have a payload (RFC 7252, section 5.5).", name); }
        if (!isOnly) { throw new ArgumentException("A request has a Payload in memory or a Body from a stream, not both. Set one of them.", name); }
    }

    private string PathAndQuery
    {
        get
        {
            var query = string.Join('&', Options.GetAll<UriQuery>().Select(argument => argument.Value));
            return $"/{string.Join('/', Options.GetAll<UriPath>().Select(segment => segment.Value))}{(query.Length > 0 ? "?" : "")}{query}";
        }
    }

    /// <summary>Returns the method and the URI.</summary>
    public override string ToString() => $"{Method} {Uri}";

    private sealed record AskedAnswers(AnswerShape Shape, object? Details);
}
