using System.Security.Cryptography.X509Certificates;

namespace CoAP;

/// <summary>What the peer proved about itself when the association was secured; absent on plain transports.</summary>
public sealed class PeerCredentials
{
    /// <summary>The certificate that the peer presented and that was validated.</summary>
    public X509Certificate2? Certificate { get; init; }

    /// <summary>The identity of the key that both sides share.</summary>
    public string? PreSharedKeyIdentity { get; init; }
}
