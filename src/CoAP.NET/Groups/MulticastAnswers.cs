namespace CoAP;

/// <summary>Selects the responses to multicast requests that a resource sends; the others are suppressed (RFC 7252, section 8.2).</summary>
public enum MulticastAnswers
{
    /// <summary>
    /// Successes with a payload, 2.03, which stands for one, and successes of requests with an Observe option (RFC 10020, section 3.7).
    /// Other empty responses and errors are suppressed.
    /// </summary>
    Useful,

    /// <summary>All successes, including those without a payload, such as 2.04.</summary>
    Successes,

    /// <summary>All responses, including errors. Every member of a large group may send an error, so use it only if the application needs errors.</summary>
    All,
}
