namespace CoAP;

/// <summary>The state of an observation (RFC 7641, section 3).</summary>
public enum ObservationState
{
    /// <summary>The first registration has been sent, but no response has arrived.</summary>
    Registering,

    /// <summary>The server sends notifications, and the newest representation is fresh.</summary>
    Active,

    /// <summary>The Max-Age of the newest representation has passed without a newer one (RFC 7641, section 3.3.1).</summary>
    Stale,

    /// <summary>The client registers again, because the server was silent for too long, the connection ended, or a registration failed.</summary>
    ReRegistering,

    /// <summary>No more notifications will arrive; see <see cref="ObservationEnd"/>.</summary>
    Ended,
}
