namespace CoAP;

/// <summary>The part of a handshake of TLS or DTLS that failed.</summary>
public enum TlsFailure
{
    /// <summary>The two sides have no version, cipher or application protocol in common, or one of them aborted.</summary>
    Protocol,

    /// <summary>The certificate or raw public key of the peer is missing, not trusted, expired, not valid yet, or refused.</summary>
    Certificate,

    /// <summary>The certificate of the peer has another name.</summary>
    Name,

    /// <summary>The pre-shared key or its identity was not accepted.</summary>
    Key,
}
