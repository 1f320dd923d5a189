using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>Creates the errors of calls whose session could not be established.</summary>
internal static class HandshakeErrors
{
    /// <summary>Returns the error of a failed handshake.</summary>
    /// <param name="pending">The handshake of a client.</param>
    /// <param name="reason">What has failed.</param>
    /// <param name="cause">The exception that has ended it, if there was one.</param>
    public static CoapException Of(PendingHandshake pending, string reason, Exception? cause)
    {
        if (cause is not null || (pending.HasTimedOut && pending.Machine?.Session is null))
        {
            return new CoapTransportException($"No DTLS session with {pending.Address.Peer} could be established: {reason}{HintOf(pending)}.", cause);
        }
        var thrown = pending.Defect is CallbackException { InnerException: { } inner } ? inner : pending.Defect;
        return new CoapSecurityException(FailureOf(pending), $"The DTLS handshake with {pending.Address.Peer} failed: {reason}{HintOf(pending)}.", thrown);
    }

    /// <summary>Returns a sentence about the probable cause of a failed handshake; empty if that is clear without it.</summary>
    public static string HintOf(PendingHandshake pending)
    {
        var identity = pending.Handshake?.PskIdentity is { } bytes ? KeyIdentity.Describe(bytes) : "";
        if (pending.Identity.Peer.IsNone)
        {
            return pending.Handshake is { HasUnknownIdentity: true }
                ? $". The client's PSK identity '{identity}' is unknown to the key store (PreSharedKeys)"
                : HasOtherKey(pending) ? $". The client probably has another key for the identity '{identity}'"
                : "";
        }
        if (pending.IsUnheard)
        {
            return ". Nothing has arrived from there. Check the port (5684 is the default of coaps), whether a server with DTLS listens, and whether UDP is blocked";
        }
        if (HasOtherKey(pending))
        {
            return $". The server probably has another key for this identity ('{identity}') or does not know it, "
                + "or its key store does not answer";
        }
        return pending.Machine?.PeerAlert?.Description switch
        {
            AlertDescription.UnknownPskIdentity => $". The server does not know the PSK identity '{identity}'",
            AlertDescription.DecryptError when identity.Length > 0 =>
                $". The server has another key for this identity ('{identity}'), or does not know it",
            AlertDescription.HandshakeFailure when pending.Handshake is { LacksCertificate: true } =>
                ". The server requires a certificate or raw public key of the client (Certificate or RawKeyPair)",
            AlertDescription.HandshakeFailure when pending.Machine.Session is null =>
                ". The two sides probably have no cipher suite in common. Compare CipherSuites and the kinds of keys",
            AlertDescription.InternalError => ". The log of the server may give the reason",
            _ => IsRefusal(pending) ? ". The server refuses the certificate of this client; its log may give the reason" : "",
        };
    }

    /// <summary>Returns the kind of a failure, for <see cref="DtlsMetrics"/>.</summary>
    public static string ReasonOf(PendingHandshake pending, Exception? cause)
    {
        var (machine, handshake) = (pending.Machine, pending.Handshake);
        if (pending.IsReplaced) { return "limit"; }
        if (cause is not null) { return "network"; }
        if (HasOtherKey(pending)) { return "key"; }
        if (pending.HasTimedOut) { return "timeout"; }
        return FailureOf(pending) switch
        {
            TlsFailure.Key => "key",
            TlsFailure.Certificate => "certificate",
            TlsFailure.Name => "name",
            _ => handshake is { PskIdentity: not null, PskKey: null } ? "key" : "protocol",
        };
    }

    /// <summary>Returns the error of a message that must not be sent in another session.</summary>
    public static CoapException Ended(in PeerIdentity server) => new CoapTransportException(
        $"The DTLS session with {server} was lost before the exchange was complete. Whether the server has executed the request is unknown, so it is not repeated.");

    /// <summary>Runs a computation of a handshake. Returns why it has failed, and the exception that is worth a log entry of its own.</summary>
    public static (string? Failure, Exception? Defect) Try(Action work)
    {
        try
        {
            work();
            return (null, null);
        }
        catch (CallbackException exception) { return (exception.Message, exception); }
        catch (CryptographicException exception) { return (exception.Message.TrimEnd('.'), exception.InnerException); }
        catch (Exception exception) // The edge to the system's TLS. The handshake fails.
        {
            return (exception.Message.TrimEnd('.'), exception);
        }
    }

    private static TlsFailure FailureOf(PendingHandshake pending)
    {
        var (machine, handshake) = (pending.Machine, pending.Handshake);
        if (handshake?.Peer.Problem is not null) { return handshake.Peer.HasWrongName ? TlsFailure.Name : TlsFailure.Certificate; }
        if (pending.Defect is CallbackException { Failure: var failure }) { return failure; }
        if (HasOtherKey(pending)) { return TlsFailure.Key; }
        return machine?.PeerAlert?.Description switch
        {
            AlertDescription.UnknownPskIdentity or AlertDescription.DecryptError or AlertDescription.BadRecordMac => TlsFailure.Key,
            // OpenSSL has no other alert for a missing certificate (RFC 5246, section 7.4.6).
            AlertDescription.HandshakeFailure when handshake is { LacksCertificate: true } => TlsFailure.Certificate,
            _ => IsRefusal(pending) ? TlsFailure.Certificate : TlsFailure.Protocol,
        };
    }

    // Neither side can read what the other has protected with another key, and ignores it for a while (RFC 6347, section 4.1.2.7).
    private static bool HasOtherKey(PendingHandshake pending) =>
        pending.Machine is { HasRefusedKey: true }
            || (pending.HasTimedOut && pending is { Machine.Session: not null, Handshake.PskIdentity: not null });

    private static bool IsRefusal(PendingHandshake pending) => pending.Machine?.PeerAlert?.Description
        is AlertDescription.BadCertificate or AlertDescription.UnsupportedCertificate or AlertDescription.CertificateExpired
        or AlertDescription.CertificateRevoked or AlertDescription.CertificateUnknown or AlertDescription.UnknownCa
        or AlertDescription.CertificateRequired or AlertDescription.AccessDenied;
}
