using System.Globalization;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>Creates the errors of failed attempts to connect. They name the step that failed and the time of the next attempt.</summary>
internal static class ConnectFailure
{
    /// <summary>Returns the error of a failed attempt.</summary>
    public static CoapException Of(in StreamTarget target, Exception error) => error switch
    {
        // Several callers may wait for the attempt. Each gets its own exception.
        CoapTransportException exception => new CoapTransportException(exception.Message, exception.InnerException) { RetryAfter = exception.RetryAfter },
        TlsHandshakeException exception => new CoapSecurityException(exception.Failure, exception.Message, exception),
        _ => new CoapTransportException(Describe(target, error), error),
    };

    /// <summary>Returns the error of a request that comes before the next attempt is due.</summary>
    public static CoapException TooEarly(in StreamTarget target, TimeSpan wait, Exception reason)
    {
        var reasonText = reason is TlsHandshakeException ? reason.Message : Describe(target, reason);
        var text = string.Create(
            CultureInfo.InvariantCulture,
            $"The next attempt to connect to {target.Place} is made in {Math.Ceiling(wait.TotalSeconds * 10) / 10:0.#} s or later. The last one failed: {reasonText}");
        return reason is TlsHandshakeException { Failure: var failure }
            ? new CoapSecurityException(failure, text, reason)
            : new CoapTransportException(text, reason) { RetryAfter = wait };
    }

    // The message of a blocking call ends with the address, which the error names already.
    private static string TextOf(Exception error) => error is SocketException { ErrorCode: var code } ? new SocketException(code).Message : error.Message;

    private static string Describe(in StreamTarget target, Exception error) => error switch
    {
        // The runtime reports a path without a socket as an address that cannot be assigned.
        SocketException when target.UnixPath is { } path => $"No server listens at the local socket {path}.",
        SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain } =>
            $"No address for {target.Place}: {TextOf(error)}",
        SocketException when target.IsInMemory => $"No connection to {target.Place}: {TextOf(error)}",
        SocketException => $"No TCP connection to {target.Place}: {TextOf(error)}",
        _ => $"No connection to {target.Place}: {error.Message}",
    };
}
