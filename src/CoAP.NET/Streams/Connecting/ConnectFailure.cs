using System.Globalization;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Streams;

/// <summary>What callers are told where no connection comes about: which part of it failed, and when the next attempt may be made.</summary>
internal static class ConnectFailure
{
    /// <summary>An attempt has failed.</summary>
    public static CoapException Of(in StreamTarget target, Exception error) => error switch
    {
        // An error may be told to several callers, and each gets one of its own.
        CoapTransportException exception => new CoapTransportException(exception.Message, exception.InnerException) { RetryAfter = exception.RetryAfter },
        TlsHandshakeException exception => new CoapSecurityException(exception.Failure, exception.Message, exception),
        _ => new CoapTransportException(Describe(target, error), error),
    };

    /// <summary>The attempts before have failed, and for the next one it is too early.</summary>
    public static CoapException TooEarly(in StreamTarget target, TimeSpan wait, Exception reason)
    {
        var reasonText = reason is TlsHandshakeException ? reason.Message : Describe(target, reason);
        var text = string.Create(CultureInfo.InvariantCulture, $"The next attempt to connect to {target.Place} is made in {Math.Ceiling(wait.TotalSeconds * 10) / 10:0.#} s at the earliest. The last one failed: {reasonText}");
        return reason is TlsHandshakeException { Failure: var failure }
            ? new CoapSecurityException(failure, text, reason)
            : new CoapTransportException(text, reason) { RetryAfter = wait };
    }

    private static string Describe(in StreamTarget target, Exception error) => error switch
    {
        // The runtime's word for a path without a socket is that the address cannot be assigned.
        SocketException when target.UnixPath is { } path => $"Nobody listens at the local socket {path}.",
        SocketException { SocketErrorCode: SocketError.HostNotFound or SocketError.NoData or SocketError.TryAgain } => $"No address for {target.Place}: {error.Message}",
        SocketException when target.IsInMemory => $"No connection to {target.Place}: {error.Message}",
        SocketException => $"No TCP connection to {target.Place}: {error.Message}",
        _ => $"No connection to {target.Place}: {error.Message}",
    };
}
