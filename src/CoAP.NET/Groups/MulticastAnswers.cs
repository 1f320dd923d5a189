namespace CoAP;

/// <summary>Which answers of a resource to multicast requests are sent; the others are suppressed (RFC 7252, section 8.2).</summary>
public enum MulticastAnswers
{
    /// <summary>Success with a payload: what has nothing to say and what went wrong is not sent.</summary>
    Useful,

    /// <summary>Success, also without a payload, such as 2.04.</summary>
    Successes,

    /// <summary>Errors as well. Each member of a large group may send one: only where the application needs it.</summary>
    All,
}
