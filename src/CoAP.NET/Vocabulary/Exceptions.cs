using System.Net.Sockets;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>The peer answered with an error of class 4 or 5. If a handler throws this exception, it becomes the response (RFC 7252, section 5.9).</summary>
public sealed class CoapResponseException : CoapException
{
    /// <summary>Creates an error with a code and a human-readable diagnostic message (RFC 7252, section 5.5.2).</summary>
    /// <exception cref="ArgumentException">The code is not an error code.</exception>
    public CoapResponseException(CoapCode code, string? diagnostic = null)
        : this(code, diagnostic, null, default)
    {
    }

    /// <summary>Creates an error with a code and machine-readable problem details (RFC 9290).</summary>
    /// <exception cref="ArgumentException">The code is not an error code.</exception>
    public CoapResponseException(CoapCode code, ProblemDetails problem)
        : this(code, TextOf(problem)) => Problem = problem;

    internal CoapResponseException(CoapCode code, string? diagnostic, CoapRequest? asked, in PeerIdentity remote)
        : base(ResponseErrorText.Of(code, diagnostic, asked, remote))
    {
        ThrowUnlessError(code);
        (Code, Diagnostic) = (code, diagnostic);
    }

    /// <summary>The response code.</summary>
    public CoapCode Code { get; }

    /// <summary>The problem details of the response; <see langword="null"/> if there are none (RFC 9290).</summary>
    public ProblemDetails? Problem { get; internal init; }

    /// <summary>The diagnostic message, or the title and detail of the problem; <see langword="null"/> if the response has neither.</summary>
    public string? Diagnostic { get; }

    /// <summary>The options of the response. A handler that throws the exception can set them, such as the Max-Age of a 5.03.</summary>
    public OptionSet Options { get; init; }

    /// <summary>Throws if the code is not an error code.</summary>
    /// <exception cref="ArgumentException">The code is not an error code.</exception>
    internal static void ThrowUnlessError(CoapCode code)
    {
        if (!code.IsClientError && !code.IsServerError)
        {
            throw new ArgumentException($"Code {code} is not an error code; error codes have class 4 or 5.", nameof(code));
        }
    }

    /// <summary>Returns the human-readable text of problem details, or <see langword="null"/> if there is none.</summary>
    internal static string? TextOf(ProblemDetails problem)
    {
        ArgumentNullException.ThrowIfNull(problem);
        return problem.ToString() is { Length: > 0 } text ? text : null;
    }
}

/// <summary>The peer rejected the message with a Reset (RFC 7252, section 4.2).</summary>
public sealed class CoapResetException : CoapException
{
    internal CoapResetException(string peer)
        : base($"{peer} rejected the message with a Reset.")
    {
    }
}

/// <summary>The transport failed, for example with an ICMP error, a closed connection or an Abort (RFC 8323, section 5.6).</summary>
public sealed class CoapTransportException : CoapException
{
    /// <summary>Creates an error of a transport or a layer of a package.</summary>
    public CoapTransportException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>Creates the error of a call that was in progress when its client was disposed.</summary>
    internal static CoapTransportException ClientEnded() => new("The client was disposed while the call was in progress.");

    /// <summary>Creates the error of a call that was in progress when its server was stopped.</summary>
    internal static CoapTransportException ServerEnded() => new("The server was stopped while the call was in progress.");

    /// <summary>Creates the error of a request on which a stage of a package has failed, or on the response to it.</summary>
    /// <param name="item">"request to" or "response of".</param>
    /// <param name="peer">The peer.</param>
    /// <param name="cause">What the stage has thrown.</param>
    internal static CoapTransportException StageFailed(string item, in PeerIdentity peer, Exception cause) =>
        new($"A stage failed on the {item} {peer}: {cause.Message}", cause);

    /// <summary>Creates the error of a request that the network did not deliver.</summary>
    internal CoapTransportException(in PeerIdentity peer, SocketException cause)
        : this($"The network did not deliver the request to {peer}: {cause.Message}.", cause)
    {
    }

    /// <summary>Whether the peer ended the connection with an Abort.</summary>
    public bool IsAbort { get; init; }

    /// <summary>The time until the next attempt to connect; <see langword="null"/> if the next request makes one.</summary>
    public TimeSpan? RetryAfter { get; init; }

    /// <summary>Whether no part of the request was sent, so that it can be sent over another connection without being processed twice.</summary>
    internal bool IsUnsent { get; init; }
}

/// <summary>The queue of requests to a peer is full, or all message IDs are in quarantine (RFC 7252, sections 4.4 and 4.7).</summary>
public sealed class CoapBusyException : CoapException
{
    internal CoapBusyException(string message)
        : base(message)
    {
    }
}

/// <summary>
/// The transfer of a body failed before it was complete (RFC 7959). The inner exception gives the reason, unless the peer violated the protocol.
/// </summary>
public sealed class CoapTransferException : CoapException
{
    internal CoapTransferException(string message, Exception? innerException = null)
        : base(message, innerException)
    {
    }

    /// <summary>
    /// The position for <see cref="CoapRequest.ResumeFrom"/>, from which the download can be resumed. <see langword="null"/> if it cannot be resumed: the
    /// response had no ETag, the representation has changed, or the body was not written to a target.
    /// </summary>
    public TransferPosition? Position { get; init; }
}

/// <summary>A connection or session could not be secured, because a certificate, a key or the protocol was not accepted (RFC 7252, section 9; RFC 8323, section 8.2).</summary>
public sealed class CoapSecurityException : CoapException
{
    /// <summary>Creates an error of a security layer.</summary>
    public CoapSecurityException(TlsFailure failure, string message, Exception? innerException = null)
        : base(message, innerException) => Failure = failure;

    /// <summary>The part of the handshake that failed.</summary>
    public TlsFailure Failure { get; }
}
