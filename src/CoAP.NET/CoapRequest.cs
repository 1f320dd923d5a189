using CoAP.Options;

namespace CoAP;

/// <summary>A request to be sent, by a client or over a channel.</summary>
/// <remarks>Immutable; the same request may be sent several times and from several threads.</remarks>
public sealed class CoapRequest
{
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
        Uri = uri;
    }

    /// <summary>The method.</summary>
    public CoapCode Method { get; }

    /// <summary>The URI; its path and query become options.</summary>
    public string? Uri { get; }

    /// <summary>The options besides those that the URI gives.</summary>
    public OptionSet Options { get; init; }

    /// <summary>The payload; not copied, it must not change until the response is there.</summary>
    /// <exception cref="ArgumentException">The method is GET or DELETE, which have none (RFC 7252, section 5.5).</exception>
    public ReadOnlyMemory<byte> Payload
    {
        get;
        init => field = value.IsEmpty || Method.MayHavePayload
            ? value
            : throw new ArgumentException($"A request {Method} has no payload (RFC 7252, section 5.5).", nameof(value));
    }

    /// <summary>Whether the request is sent as confirmable on datagram transports; so unless said otherwise (RFC 7252, section 4.2).</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>Whether the server is asked even if its response is in the client's cache; the new response takes its place (RFC 7252, section 5.6.1).</summary>
    public bool IgnoresCache { get; init; }

    /// <summary>Transmission parameters for this request alone, instead of the endpoint's (RFC 7252, section 4.8).</summary>
    public TransmissionParameters? Transmission { get; init; }

    /// <summary>How long to wait for the response after an acknowledgement, or to a non-confirmable request; by default what the settings say, and NON_LIFETIME for the latter.</summary>
    public TimeSpan? ResponseTimeout { get; init; }

    /// <summary>The method and the URI.</summary>
    public override string ToString() => $"{Method} {Uri}";
}
