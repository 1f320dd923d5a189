namespace CoAP;

/// <summary>Why an observation has ended.</summary>
public enum ObservationEnd
{
    /// <summary>The reader left, or its token fired.</summary>
    Cancelled,

    /// <summary>The server does not observe this resource: it answered the registration without Observe (RFC 7641, section 3.1).</summary>
    NotObserved,

    /// <summary>The server ended it with a response of class 4 or 5, which is the last notification (RFC 7641, section 3.2).</summary>
    ErrorResponse,

    /// <summary>It failed in a way that asking again does not heal; the reader gets the exception.</summary>
    Failed,

    /// <summary>It was left alone on the wire, to be taken up again by a later run of the client.</summary>
    Suspended,
}
