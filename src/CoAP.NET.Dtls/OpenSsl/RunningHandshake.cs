namespace CoAP.Dtls.OpenSsl;

/// <summary>The handshake whose call runs on a thread: what the callbacks of OpenSSL read and write.</summary>
internal abstract class RunningHandshake
{
    [ThreadStatic]
    private static RunningHandshake? _current;

    /// <summary>The handshake whose call runs on this thread; <see langword="null"/> if none runs.</summary>
    public static RunningHandshake? Current => _current;

    /// <summary>Our connection ID; <see langword="null"/> if none are used.</summary>
    public abstract ReadOnlyMemory<byte>? OwnConnectionId { get; }

    /// <summary>The connection ID of the peer; <see langword="null"/> if it has not sent the extension.</summary>
    public ReadOnlyMemory<byte>? PeerConnectionId { get; set; }

    /// <summary>Whether the peer has sent the extension of the return routability check.</summary>
    public bool HasPeerRoutabilityCheck { get; set; }

    /// <summary>Whether our hello has the extension of the check.</summary>
    public abstract bool AnnouncesRoutabilityCheck { get; }

    /// <summary>Writes the pre-shared key. Returns its length; 0 if a client has none or it is too long.</summary>
    public abstract uint WriteKey(Span<byte> destination);

    /// <summary>Writes the identity for a hint of the server as text that ends with a zero. Returns <see langword="false"/> if there is none or it is too long.</summary>
    public abstract bool TryWriteIdentity(string? hint, Span<byte> destination);

    /// <summary>Checks the certificate or the raw public key of the peer.</summary>
    /// <param name="store">The X509_STORE_CTX, which gets the result.</param>
    public abstract bool Verify(nint store);

    /// <summary>Makes this handshake the running one.</summary>
    protected void Enter() => _current = this;

    /// <summary>Ends <see cref="Enter"/>.</summary>
    protected static void Leave() => _current = null;
}
