using CoAP.Options;

namespace CoAP;

/// <summary>
/// The peer did not answer within the time that the transmission parameters allow (RFC 7252, section 4.2), or a deadline of the call passed. The
/// message names the request, the peer and the event that the call was waiting for.
/// </summary>
public sealed class CoapTimeoutException : CoapException
{
    internal CoapTimeoutException(string peer, CoapRequest request, string reason, Exception? innerException = null)
        : base($"{request.Describe()} failed: {reason}.", innerException) => (Peer, Request) = (peer, request.Describe());

    /// <summary>The peer, or the host and port of the URI if the peer is not known yet.</summary>
    public string Peer { get; }

    /// <summary>The method and the URI or path of the request.</summary>
    public string Request { get; }

    /// <summary>The event that the call was waiting for.</summary>
    public AwaitedEvent AwaitedEvent { get; internal init; }

    /// <summary>The number of transmissions of the request. 0 if it was not sent.</summary>
    public int Attempts { get; internal init; }

    /// <summary>The time since the first transmission, or since the start of the call if a deadline of the call passed.</summary>
    public TimeSpan Elapsed { get; internal init; }

    /// <summary>Whether the peer acknowledged the request, so that it may have acted on it.</summary>
    public bool IsAcknowledged { get; internal init; }

    /// <summary>
    /// The position for <see cref="CoapRequest.ResumeFrom"/>, from which the download can be resumed. <see langword="null"/> if it cannot be resumed.
    /// </summary>
    public TransferPosition? Position { get; internal set; }

    /// <summary>Whether a deadline of the whole call passed. The request is then not sent again in another way.</summary>
    internal bool EndsCall { get; init; }

    /// <summary>Returns the reason for a request that got no response in time.</summary>
    internal static string NoAnswer(string peer, TimeSpan elapsed, int attempts, bool acknowledged, bool isHandshake, NoResponse? unwanted) => isHandshake
        ? $"the DTLS handshake with {peer} did not end within {elapsed.TotalSeconds:0.###} s"
        : acknowledged
        ? $"{peer} acknowledged the request but sent no response within {elapsed.TotalSeconds:0.###} s{Explain(unwanted)}"
        : $"{peer} did not answer within {elapsed.TotalSeconds:0.###} s (transmissions: {attempts}){Explain(unwanted)}";

    /// <summary>Returns the reason for a call that exceeded its total time.</summary>
    internal static string TotalTime(string peer, TimeSpan elapsed, AwaitedEvent awaited) =>
        $"the call to {peer} did not finish within {elapsed.TotalSeconds:0.###} s (Timeout); it was waiting for {Describe(awaited)}";

    /// <summary>Returns the reason for a call without progress.</summary>
    internal static string IdleTime(string peer, TimeSpan idle, AwaitedEvent awaited, NoResponse? unwanted) =>
        $"the call to {peer} made no progress for {idle.TotalSeconds:0.###} s (RequestIdleTimeout); it was waiting for {Describe(awaited)}{Explain(unwanted)}";

    /// <summary>Returns the reason for a call whose body was too slow.</summary>
    internal static string SlowBody(string peer, int rate, TimeSpan window) =>
        $"the body from or to {peer} was slower than {rate} bytes a second and fell {window.TotalSeconds:0.###} s behind (ClientTransferSettings.MinRate, RateWindow)";

    private static string Describe(AwaitedEvent awaited) => awaited switch
    {
        AwaitedEvent.Acknowledgement => "an acknowledgement",
        AwaitedEvent.Connection => "a connection",
        AwaitedEvent.Handshake => "the end of the DTLS handshake",
        AwaitedEvent.Turn => "other requests to the peer (NSTART)",
        AwaitedEvent.Body => "the next bytes of a body",
        AwaitedEvent.Caller => "your stream to give or take bytes",
        _ => "the response",
    };

    private static string Explain(NoResponse? unwanted)
    {
        if (unwanted is null || unwanted.Value == 0) { return ""; }
        var classes = new[] { ResponseCode.Content, ResponseCode.BadRequest, ResponseCode.InternalServerError }.Where(unwanted.Suppresses);
        return $". Its No-Response option states that responses of class {string.Join(", ", classes.Select(code => code.Class))} are not wanted "
            + "(RFC 7967, section 2.1)";
    }
}
