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
            return new CoapTransportException($"No DTLS session with {pending.Address.Peer} could be established: {reason}.", cause);
        }
        return new CoapSecurityException(FailureOf(pending), $"The DTLS handshake with {pending.Address.Peer} failed: {reason}{HintOf(pending)}.");
    }

    /// <summary>Returns what a failed handshake probably means; empty if that is clear without it.</summary>
    public static string HintOf(PendingHandshake pending)
    {
        // Neither side can read what the other has protected with another key, and ignores it (RFC 6347, section 4.1.2.7).
        if (!pending.HasTimedOut || pending is not { Machine.Session: not null, Handshake.PskIdentity: { } identity }) { return ""; }
        return pending.Identity.Peer.IsNone
            ? $" after the key was used. The client probably has another key for the identity '{DtlsLog.Printable(identity)}'"
            : " that was protected with the key. The server probably has another key for this identity";
    }

    /// <summary>Returns the kind of a failure, for <see cref="DtlsMetrics"/>.</summary>
    public static string ReasonOf(PendingHandshake pending, Exception? cause)
    {
        var (machine, handshake) = (pending.Machine, pending.Handshake);
        if (cause is not null) { return "network"; }
        if (HintOf(pending).Length > 0) { return "key"; }
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
        $"The DTLS session with {server} ended before the exchange was complete. The server may have processed the request.");

    private static TlsFailure FailureOf(PendingHandshake pending)
    {
        var (machine, handshake) = (pending.Machine, pending.Handshake);
        if (handshake?.Peer.Problem is not null) { return handshake.Peer.HasWrongName ? TlsFailure.Name : TlsFailure.Certificate; }
        if (HintOf(pending).Length > 0) { return TlsFailure.Key; }
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
