using CoAP.Options;

namespace CoAP;

/// <summary>A request to be sent, by a client or over a channel.</summary>
/// <remarks>Immutable; the same request may be sent several times and from several threads.</remarks>
public sealed class CoapRequest
{
    private OptionSet _options;
    private readonly string? _uri;
    private bool _isResolved;

    /// <summary>Makes a request for the resource that the options, or the URI given when sending, name.</summary>
    /// <exception cref="ArgumentException">The code is no method.</exception>
    public CoapRequest(CoapCode method)
    {
        if (!method.IsRequest) { throw new ArgumentException($"Code {method} is no method; 0.01 to 0.31 are.", nameof(method)); }
        Method = method;
    }

    /// <summary>Makes a request for the resource that a URI names.</summary>
    /// <param name="method">The method.</param>
    /// <param name="uri">An absolute URI such as "coap://host/path", or over a channel a path such as "/path?query".</param>
    /// <exception cref="ArgumentException">The code is no method.</exception>
    public CoapRequest(CoapCode method, string uri)
        : this(method)
    {
        ArgumentException.ThrowIfNullOrEmpty(uri);
        _uri = uri;
    }

    /// <summary>The method.</summary>
    public CoapCode Method { get; }

    /// <summary>The URI; its path and query become options.</summary>
    public string? Uri => _isResolved ? null : _uri;

    /// <summary>The options besides those that the URI gives. With a block option of the caller's own the request is sent as it is, and the caller drives the blocks.</summary>
    public OptionSet Options { get => _options; init => _options = value; }

    /// <summary>The body; not copied, it must not change until the call has ended. What does not fit into a message goes block by block (RFC 7959).</summary>
    /// <exception cref="ArgumentException">The method is GET or DELETE, which have none (RFC 7252, section 5.5).</exception>
    public ReadOnlyMemory<byte> Payload
    {
        get;
        init => field = value.IsEmpty || Method.MayHavePayload
            ? value
            : throw new ArgumentException($"A request {Method} has no payload (RFC 7252, section 5.5).", nameof(value));
    }

    /// <summary>The body where it is read while it is sent, instead of <see cref="Payload"/>.</summary>
    /// <exception cref="ArgumentException">The method is GET or DELETE, which have none (RFC 7252, section 5.5).</exception>
    public BodySource? Body
    {
        get;
        init => field = value is null || Method.MayHavePayload
            ? value
            : throw new ArgumentException($"A request {Method} has no payload (RFC 7252, section 5.5).", nameof(value));
    }

    /// <summary>Where the body of a successful response is written; its <see cref="CoapResponse.Payload"/> is empty then. Nothing by default: the body is collected.</summary>
    public BodyTarget? ResponseBody { get; init; }

    /// <summary>Is told how far the bodies have come; by the caller's thread in a sync call, else by the async call, never by a lane.</summary>
    public IProgress<TransferProgress>? Progress { get; init; }

    /// <summary>The largest block of this request and its response, in bytes: a power of two, 16 to 1,024; by default what the settings say.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not one of these sizes.</exception>
    public int? PreferredBlockSize { get; init => field = value is { } size ? Bound.BlockSize(size) : null; }

    /// <summary>Where to go on with the response's body after <see cref="CoapTransferException"/>; from the beginning by default.</summary>
    public TransferPosition? ResumeFrom { get; init; }

    /// <summary>Whether the bodies of this request and its response go in sets of non-confirmable blocks (RFC 9177); by default what the settings say.</summary>
    public RobustMode? RobustMode { get; init; }

    /// <summary>Whether the request is sent as confirmable on datagram transports; so unless said otherwise (RFC 7252, section 4.2).</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>Whether the server is asked even if its response is in the client's cache; the new response takes its place (RFC 7252, section 5.6.1).</summary>
    public bool IgnoresCache { get; init; }

    /// <summary>A token instead of one that the lane makes; no other request to the peer may have the same at the same time.</summary>
    internal Token? Token { get; init; }

    /// <summary>Transmission parameters for this request alone, instead of the endpoint's (RFC 7252, section 4.8).</summary>
    public TransmissionParameters? Transmission { get; init; }

    /// <summary>How long to wait for the response after an acknowledgement, or to a non-confirmable request; by default what the settings say, and NON_LIFETIME for the latter.</summary>
    public TimeSpan? ResponseTimeout { get; init; }

    /// <summary>Whether a body passes through, or is only a part of one, so that the cache can neither answer nor keep it.</summary>
    internal bool PassesCache => (Method == RequestCode.Get || Method == RequestCode.Fetch) && (Body is not null || ResponseBody is not null || ResumeFrom is not null);

    /// <summary>The same request with these options alone: its URI is among them.</summary>
    internal CoapRequest Resolved(OptionSet options)
    {
        var resolved = (CoapRequest)MemberwiseClone();
        (resolved._isResolved, resolved._options) = (true, options);
        return resolved;
    }

    /// <summary>The method by its name, and the URI as the caller gave it or as the options tell it.</summary>
    internal string Describe() => $"{CodeNames.OfMethod(Method)} {_uri ?? PathAndQuery}";

    private string PathAndQuery
    {
        get
        {
            var query = string.Join('&', Options.GetAll<UriQuery>().Select(argument => argument.Value));
            return $"/{string.Join('/', Options.GetAll<UriPath>().Select(segment => segment.Value))}{(query.Length > 0 ? "?" : "")}{query}";
        }
    }

    /// <summary>The method and the URI.</summary>
    public override string ToString() => $"{Method} {Uri}";
}
