using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>A response of class 4 or 5. Thrown in a handler, it becomes the response (RFC 7252, section 5.9).</summary>
public sealed class CoapResponseException : CoapException
{
    /// <summary>Makes the error of a code and a diagnostic message for people (RFC 7252, section 5.5.2).</summary>
    /// <exception cref="ArgumentException">The code is no error.</exception>
    public CoapResponseException(CoapCode code, string? diagnostic = null)
        : this(code, diagnostic, null, default)
    {
    }


    /// <summary>Makes the error of a code and problem details for people and machines (RFC 9290).</summary>
    /// <exception cref="ArgumentException">The code is no error.</exception>
    public CoapResponseException(CoapCode code, ProblemDetails problem)
        : this(code, TextOf(problem)) => Problem = problem;

    internal CoapResponseException(CoapCode code, string? diagnostic, CoapRequest? asked, in PeerIdentity remote)
        : base(ResponseErrorText.Of(code, diagnostic, asked, remote))
    {
        if (!code.IsClientError && !code.IsServerError) { throw new ArgumentException($"Code {code} is no error; class 4 or 5 is.", nameof(code)); }
        (Code, Diagnostic) = (code, diagnostic);
    }

    /// <summary>The response code.</summary>
    public CoapCode Code { get; }

    /// <summary>What went wrong, if the response says it in the form of RFC 9290.</summary>
    public ProblemDetails? Problem { get; internal init; }

    /// <summary>The diagnostic message, or title and detail of the problem, if there was one.</summary>
    public string? Diagnostic { get; }

    /// <summary>The options that the response gets when a handler throws this, such as Max-Age of a 5.03.</summary>
    public OptionSet Options { get; init; }

    /// <summary>What problem details say to people, if anything.</summary>
    internal static string? TextOf(ProblemDetails problem)
    {
        ArgumentNullException.ThrowIfNull(problem);
        return problem.ToString() is { Length: > 0 } text ? text : null;
    }
}

/// <summary>Nobody answered within the time the transmission parameters give (RFC 7252, section 4.2).</summary>
public sealed class CoapTimeoutException : CoapException
{
    internal CoapTimeoutException(string peer, int attempts, TimeSpan elapsed, bool acknowledged, NoResponse? unwanted = null)
        : base((acknowledged
            ? $"{peer} acknowledged the request but sent no response within {elapsed.TotalSeconds:0.###} s."
            : $"{peer} did not answer {attempts} transmissions within {elapsed.TotalSeconds:0.###} s.") + Explain(unwanted)) =>
        (Attempts, Elapsed, IsAcknowledged) = (attempts, elapsed, acknowledged);

    /// <summary>How often the request was sent.</summary>
    public int Attempts { get; }

    /// <summary>The time since the first transmission.</summary>
    public TimeSpan Elapsed { get; }

    /// <summary>Whether the peer acknowledged the request, so that it may have acted on it.</summary>
    public bool IsAcknowledged { get; }

    private static string Explain(NoResponse? unwanted)
    {
        if (unwanted is null || unwanted.Value == 0) { return ""; }
        var classes = new[] { ResponseCode.Content, ResponseCode.BadRequest, ResponseCode.InternalServerError }.Where(unwanted.Suppresses);
        return $" Its No-Response option says that responses of class {string.Join(", ", classes.Select(code => code.Class))} are not wanted (RFC 7967, section 2.1).";
    }
}

/// <summary>The peer answered with a Reset: it could not make sense of the message (RFC 7252, section 4.2).</summary>
public sealed class CoapResetException : CoapException
{
    internal CoapResetException(string peer)
        : base($"{peer} rejected the message with a Reset.")
    {
    }
}

/// <summary>The network, or the connection's rules, ended the exchange: an ICMP error, a closed connection, an Abort (RFC 8323, section 5.6).</summary>
public sealed class CoapTransportException : CoapException
{
    internal CoapTransportException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>Whether the peer ended the connection with an Abort.</summary>
    public bool IsAbort { get; init; }

    /// <summary>When the next attempt to connect may be made, counted from now; nothing where the next request makes one.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>Whether nothing of the request was sent, so that it may go another way without being acted on twice.</summary>
    internal bool IsUnsent { get; init; }
}

/// <summary>The queue of requests to a peer is full, or no message ID is out of quarantine (RFC 7252, sections 4.4 and 4.7).</summary>
public sealed class CoapBusyException : CoapException
{
    internal CoapBusyException(string message)
        : base(message)
    {
    }
}

/// <summary>The transfer of a body broke off in the middle (RFC 7959); the inner exception says why, unless the peer broke the rules.</summary>
public sealed class CoapTransferException : CoapException
{
    internal CoapTransferException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>Where the download can go on, by <see cref="CoapRequest.ResumeFrom"/>; nothing where it cannot: the response had no ETag, the representation has changed, or its body was not written to a target.</summary>
    public TransferPosition? Position { get; init; }
}

/// <summary>A connection could not be secured: the certificate, the name or the protocol does not do (RFC 8323, section 8.2).</summary>
public sealed class CoapSecurityException : CoapException
{
    internal CoapSecurityException(TlsFailure failure, string message, Exception innerException)
        : base(message, innerException) => Failure = failure;

    /// <summary>Which part failed.</summary>
    public TlsFailure Failure { get; }
}
