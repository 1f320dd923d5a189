namespace CoAP;

/// <summary>Which part of securing a connection failed.</summary>
public enum TlsFailure
{
    /// <summary>The two sides share no version, cipher or application protocol, or one of them broke off.</summary>
    Protocol,

    /// <summary>The certificate of the other side is missing, not trusted, not valid now, or was refused.</summary>
    Certificate,

    /// <summary>The certificate of the other side is for another name.</summary>
    Name,
}
