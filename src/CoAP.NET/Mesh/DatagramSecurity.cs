using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The settings of a security layer between UDP and CoAP. The package CoAP.NET.Dtls provides one for DTLS.</summary>
/// <remarks>Immutable. Several endpoints can use one instance, unless it contains objects that belong to one endpoint, such as a session store.</remarks>
public abstract record DatagramSecurity
{
    /// <summary>
    /// The largest number of sessions of the endpoint. Default: 100,000. One account holds at most as many as are still free. A further session replaces the
    /// account's oldest one. On a client, it replaces the session that has been silent for the longest time.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxSessions { get; init => field = Bound.AtLeast(value, 1); } = 100_000;

    /// <summary>
    /// The largest number of concurrent handshakes. Default: 1,000. A handshake takes about 80 KB. One account holds at most as many as are still free. The
    /// account is the address, because the identity is not known yet. A client that would need one more gets no answer and retransmits its message. On a
    /// client, a request that needs one more fails.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxConcurrentHandshakes { get; init => field = Bound.AtLeast(value, 1); } = 1_000;

    /// <summary>
    /// Returns when the certificate of the endpoint expires, for health checks. Default: <see langword="null"/>, the endpoint has no certificate. Called from
    /// any thread.
    /// </summary>
    public virtual DateTimeOffset? GetCertificateExpiry() => null;

    /// <summary>Creates the layer of one endpoint. Called when the endpoint starts.</summary>
    /// <param name="timeProvider">The clock of the endpoint.</param>
    protected internal abstract DatagramSecurityLayer Open(TimeProvider timeProvider);
}
