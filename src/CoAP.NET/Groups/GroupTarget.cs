using CoAP.Exchanges;

namespace CoAP.Groups;

/// <summary>Checks requests to groups.</summary>
internal static class GroupTarget
{
    /// <summary>Returns the group that a request names.</summary>
    /// <exception cref="ArgumentException">The URI does not name a group, or the request is confirmable.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    public static RequestTarget Of(CoapRequest request)
    {
        var target = RequestTarget.Of(request);
        if (request.IsConfirmable)
        {
            throw new ArgumentException("A multicast request must be non-confirmable. Set IsConfirmable to false (RFC 7252, section 8.1).", nameof(request));
        }
        if (target.Scheme != CoapScheme.Coap)
        {
            throw new ArgumentException($"The URI of a group must have the scheme 'coap', not '{target.Scheme.GetName()}': DTLS and connections have only one peer (RFC 7252, section 8).", nameof(request));
        }
        GroupPort.ThrowIfOfDtls(target.Port, nameof(request));
        if (target.IsLiteral && !target.IsGroup)
        {
            throw new ArgumentException($"{target.Host} is not a multicast address. Use SendAsync or Send.", nameof(request));
        }
        return target;
    }
}
