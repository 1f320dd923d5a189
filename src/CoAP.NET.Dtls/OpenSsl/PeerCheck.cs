using System.Security.Cryptography.X509Certificates;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Checks the certificate or the raw public key that a peer presents in a handshake. If neither check is set, the peer is refused.</summary>
internal sealed class PeerCheck
{
    /// <summary>Checks certificates.</summary>
    public CertificateCheck? Certificates { get; init; }

    /// <summary>Decides whether a raw public key is trusted, or throws <see cref="CallbackException"/>; <see langword="null"/> if certificates are used.</summary>
    public Func<RawPublicKey, bool>? RawKeys { get; init; }

    /// <summary>The largest certificate in bytes. A server keeps that of each client.</summary>
    public int MaxCertificate { get; init; } = int.MaxValue;

    /// <summary>The certificate of the peer, if it is trusted.</summary>
    public X509Certificate2? Certificate { get; private set; }

    /// <summary>The raw public key of the peer, if it is trusted.</summary>
    public RawPublicKey? RawKey { get; private set; }

    /// <summary>The problem with the certificate or key of the peer; <see langword="null"/> if there is none.</summary>
    public string? Problem { get; private set; }

    /// <summary>What a check of the user has thrown; <see langword="null"/> if none has.</summary>
    public CallbackException? Defect { get; private set; }

    /// <summary>Whether the certificate is trusted, but has another name.</summary>
    public bool HasWrongName { get; private set; }

    /// <summary>Checks the peer of a verification. An exception must not pass through OpenSSL.</summary>
    /// <param name="store">The X509_STORE_CTX, which gets the result.</param>
    public bool Verify(nint store)
    {
        var verdict = CertificateVerdict.Refused;
        try { verdict = RawKeys is { } check ? VerifyKey(store, check) : VerifyCertificate(store); }
        catch (Exception exception) // The platform cannot read the certificate, or the check of the user has failed.
        {
            (Problem, Defect) = (exception.Message, exception as CallbackException);
        }
        CertificateCalls.SetResult(store, verdict);
        return verdict == CertificateVerdict.Trusted;
    }

    /// <summary>Reads the peer's certificate or key from the earlier session that OpenSSL has resumed.</summary>
    public void Resume(SslHandle ssl)
    {
        if (RawKeys is not null) { RawKey = RawKeyCalls.PeerKeyOf(ssl); }
        if (SslCalls.GetPeerCertificate(ssl) is not 0 and var certificate) { Certificate = CertificateCalls.Take(certificate); }
    }

    private CertificateVerdict VerifyCertificate(nint store)
    {
        var certificate = CertificateCalls.Read(store, out var others);
        var problem = Certificates is null ? "no certificate was expected" : CertificateSizes.ProblemOf(certificate, others, MaxCertificate);
        var verdict = problem is null ? Certificates!.Check(certificate, others, out problem) : CertificateVerdict.Refused;
        foreach (var other in others) { other.Dispose(); }
        if (verdict == CertificateVerdict.Trusted) { Certificate = certificate; }
        else { (Problem, HasWrongName) = (problem, verdict == CertificateVerdict.WrongName); }
        return verdict;
    }

    private CertificateVerdict VerifyKey(nint store, Func<RawPublicKey, bool> check)
    {
        var key = RawKeyCalls.Read(store);
        if (key is not null && check(key))
        {
            RawKey = key;
            return CertificateVerdict.Trusted;
        }
        Problem = key is null ? "the peer has a certificate instead of a raw public key" : $"the raw public key {key} is not trusted";
        return CertificateVerdict.Refused;
    }
}
