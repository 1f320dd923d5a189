namespace CoAP;

/// <summary>Where an observation is in its life (RFC 7641, section 3).</summary>
public enum ObservationState
{
    /// <summary>Nothing has come yet: the first registration is on its way.</summary>
    Registering,

    /// <summary>The server notifies, and the newest representation is fresh.</summary>
    Active,

    /// <summary>The Max-Age of the newest representation is over, and nothing newer has come (RFC 7641, section 3.3.1).</summary>
    Stale,

    /// <summary>The server is asked once more, because it was silent for too long, the connection ended, or asking it failed.</summary>
    ReRegistering,

    /// <summary>Nothing more will come; see <see cref="ObservationEnd"/>.</summary>
    Ended,
}
