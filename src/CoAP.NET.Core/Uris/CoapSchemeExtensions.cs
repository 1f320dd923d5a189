namespace CoAP;

/// <summary>The names, default ports and security of the URI schemes.</summary>
public static class CoapSchemeExtensions
{
    private static readonly string[] Names = ["coap", "coaps", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws"];
    private static readonly int[] Ports = [5683, 5684, 5683, 5684, 80, 443];

    /// <summary>Returns the name of the scheme in URIs, such as "coap+tcp".</summary>
    /// <exception cref="IndexOutOfRangeException">The value is not defined.</exception>
    public static string GetName(this CoapScheme scheme) => Names[(int)scheme];

    /// <summary>Returns the default port of the scheme.</summary>
    /// <exception cref="IndexOutOfRangeException">The value is not defined.</exception>
    public static int GetDefaultPort(this CoapScheme scheme) => Ports[(int)scheme];

    /// <summary>Returns <see langword="true"/> if the transport is secured with DTLS or TLS.</summary>
    public static bool IsSecure(this CoapScheme scheme) => scheme is CoapScheme.Coaps or CoapScheme.CoapsTcp or CoapScheme.CoapsWs;

    /// <summary>Finds a scheme by its name, regardless of case.</summary>
    internal static bool TryFind(ReadOnlySpan<char> name, out CoapScheme scheme)
    {
        for (scheme = 0; (int)scheme < Names.Length; scheme++)
        {
            if (name.Equals(Names[(int)scheme], StringComparison.OrdinalIgnoreCase)) { return true; }
        }
        return false;
    }
}
