namespace CoAP;

/// <summary>The reason why an observation has ended.</summary>
public enum ObservationEnd
{
    /// <summary>The reader stopped, or its cancellation token was canceled.</summary>
    Canceled,

    /// <summary>The server does not support observing this resource: it answered without Observe (RFC 7641, section 3.1).</summary>
    NotObserved,

    /// <summary>The server ended the observation with a 4.xx or 5.xx response, which is the last notification (RFC 7641, section 3.2).</summary>
    ErrorResponse,

    /// <summary>The observation failed permanently. The reader gets the exception.</summary>
    Failed,

    /// <summary>The observation was detached without a message to the server, so that a later run of the client can continue it.</summary>
    Suspended,
}
