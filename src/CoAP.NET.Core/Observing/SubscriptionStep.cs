namespace CoAP.Observing;

/// <summary>What a poll of a <see cref="Subscription"/> asks for.</summary>
internal enum SubscriptionStep
{
    /// <summary>Nothing until the next deadline.</summary>
    Wait,

    /// <summary>Send the request with Observe 0 and the same token once more.</summary>
    Register,

    /// <summary>The same after a failure: the peer may have another address by now.</summary>
    Retry,

    /// <summary>Ask whether the connection is alive; it confirms all its observations at once (RFC 8323, section 7.3).</summary>
    Probe,
}

/// <summary>How a response with the token of a <see cref="Subscription"/> came.</summary>
internal enum NotificationOrigin
{
    /// <summary>By itself.</summary>
    Notified,

    /// <summary>While the registration waits for its separate response; it may still be an older notification that was late.</summary>
    AnsweredSeparately,

    /// <summary>In the acknowledgement of the registration, so that it surely is its response.</summary>
    Piggybacked,
}

/// <summary>What a response with the token of a <see cref="Subscription"/> is.</summary>
internal enum NotificationVerdict
{
    /// <summary>The newest state.</summary>
    Newer,

    /// <summary>Overtaken by a newer one, or too late altogether.</summary>
    Older,

    /// <summary>The last one: the server will notify no more.</summary>
    Last,
}
