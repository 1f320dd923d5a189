namespace CoAP.Groups;

/// <summary>The rule for the ports of groups.</summary>
internal static class GroupPort
{
    /// <summary>Throws if a group would have the port of DTLS.</summary>
    /// <exception cref="ArgumentException">The port is that of DTLS (RFC 10020, section 3.4).</exception>
    public static void ThrowIfOfDtls(int port, string paramName)
    {
        if (port != CoapScheme.Coaps.GetDefaultPort()) { return; }
        throw new ArgumentException(
            $"A group cannot have the port {port}, which is for DTLS, because DTLS has only one peer (RFC 10020, section 3.4). "
            + "Use another port, such as 5683; servers set it with MulticastSettings.Port.", paramName);
    }
}
