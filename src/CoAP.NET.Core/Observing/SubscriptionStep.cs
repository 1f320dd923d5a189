namespace CoAP.Observing;

/// <summary>The action that a <see cref="Subscription"/> requires.</summary>
internal enum SubscriptionStep
{
    /// <summary>Nothing until the next deadline.</summary>
    Wait,

    /// <summary>Repeat the registration with the same token.</summary>
    Register,

    /// <summary>Repeat the registration after a failure. The address of the peer may have changed.</summary>
    Retry,

    /// <summary>Check whether the connection is alive, which confirms all its observations (RFC 8323, section 7.3).</summary>
    Probe,
}

/// <summary>The way in which a response with the token of a <see cref="Subscription"/> has arrived.</summary>
internal enum NotificationOrigin
{
    /// <summary>On its own.</summary>
    Notified,

    /// <summary>While the registration waits for its separate response. It may be an older notification that was delayed.</summary>
    AnsweredSeparately,

    /// <summary>In the acknowledgement of the registration, so that it is certainly the response.</summary>
    Piggybacked,
}

/// <summary>The meaning of a response with the token of a <see cref="Subscription"/>.</summary>
internal enum NotificationVerdict
{
    /// <summary>The newest state.</summary>
    Newer,

    /// <summary>An older state, or a message after the end.</summary>
    Older,

    /// <summary>The last message: the server will send no more notifications.</summary>
    Last,
}
