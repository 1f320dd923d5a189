namespace CoAP;

/// <summary>The answers that a request asks for.</summary>
public enum AnswerShape
{
    /// <summary>One response: a call.</summary>
    One,

    /// <summary>The states of a resource, one after another, until the reader leaves (RFC 7641).</summary>
    Observation,

    /// <summary>The responses of the members of a group (RFC 7252, section 8).</summary>
    Group,

    /// <summary>No response (RFC 7967).</summary>
    None,

    /// <summary>All responses to a request that is sent for somebody else, unchanged (see <see cref="RawExchange"/>).</summary>
    Raw,

    /// <summary>A response that does not come back to the caller, but to <see cref="MeshArrow.StatelessResponses"/> (RFC 8974, section 3).</summary>
    Stateless,
}
