using CoAP.Dtls.OpenSsl;

namespace CoAP.Dtls;

/// <summary>Creates the errors of calls whose session could not begin.</summary>
internal static class HandshakeErrors
{
    /// <summary>Returns the error of a failed handshake.</summary>
    /// <param name="pending">The handshake of a client.</param>
    /// <param name="reason">What has failed.</param>
    /// <param name="cause">The exception that has ended it, if there was one.</param>
    public static CoapException Of(PendingHandshake pending, string reason, Exception? cause)
    {
        var (machine, handshake) = (pending.Machine, pending.Handshake);
        var hasKey = handshake?.PskIdentity is not null;
        if (cause is not null || machine is { HasTimedOut: true, Session: null })
        {
            return new CoapTransportException($"No DTLS session with {pending.Address.Peer} could begin: {reason}.", cause);
        }
        // A server cannot read what a client has protected with another key, and ignores it (RFC 6347, section 4.1.2.7).
        var hint = machine is { HasTimedOut: true } && hasKey ? " after the key was used. The server probably has another key for this identity" : "";
        return new CoapSecurityException(FailureOf(machine, handshake, hasKey), $"The DTLS handshake with {pending.Address.Peer} failed: {reason}{hint}.");
    }

    /// <summary>Returns the error of a message that must not be sent in another session.</summary>
    public static CoapException Ended(in PeerIdentity server) => new CoapTransportException(
        $"The DTLS session with {server} ended before the exchange was complete. The server may have processed the request.");

    private static TlsFailure FailureOf(HandshakeMachine? machine, OpenSslHandshake? handshake, bool hasKey)
    {
        if (handshake?.Peer.Problem is not null) { return handshake.Peer.HasWrongName ? TlsFailure.Name : TlsFailure.Certificate; }
        if (machine is { HasTimedOut: true } && hasKey) { return TlsFailure.Key; }
        return machine?.PeerAlert?.Description switch
        {
            AlertDescription.UnknownPskIdentity or AlertDescription.DecryptError or AlertDescription.BadRecordMac => TlsFailure.Key,
            AlertDescription.BadCertificate or AlertDescription.UnsupportedCertificate or AlertDescription.CertificateExpired
                or AlertDescription.CertificateRevoked or AlertDescription.CertificateUnknown or AlertDescription.UnknownCa
                or AlertDescription.CertificateRequired or AlertDescription.AccessDenied => TlsFailure.Certificate,
            _ => TlsFailure.Protocol,
        };
    }
}
