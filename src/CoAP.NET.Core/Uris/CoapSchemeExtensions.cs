namespace CoAP;

/// <summary>What follows from a scheme alone.</summary>
public static class CoapSchemeExtensions
{
    private static readonly string[] Names = ["coap", "coaps", "coap+tcp", "coaps+tcp", "coap+ws", "coaps+ws"];
    private static readonly int[] Ports = [5683, 5684, 5683, 5684, 80, 443];

    /// <summary>The scheme as URIs begin with it, such as "coap+tcp".</summary>
    /// <exception cref="IndexOutOfRangeException">The value is none of the enumeration.</exception>
    public static string GetName(this CoapScheme scheme) => Names[(int)scheme];

    /// <summary>The port of URIs that name none.</summary>
    /// <exception cref="IndexOutOfRangeException">The value is none of the enumeration.</exception>
    public static int GetDefaultPort(this CoapScheme scheme) => Ports[(int)scheme];

    /// <summary>Whether the transport is secured with DTLS or TLS.</summary>
    public static bool IsSecure(this CoapScheme scheme) => scheme is CoapScheme.Coaps or CoapScheme.CoapsTcp or CoapScheme.CoapsWs;

    /// <summary>Finds a scheme by its name, in upper or lower case.</summary>
    internal static bool TryFind(ReadOnlySpan<char> name, out CoapScheme scheme)
    {
        for (var i = 0; i < Names.Length; i++)
        {
            if (name.Equals(Names[i], StringComparison.OrdinalIgnoreCase))
            {
                scheme = (CoapScheme)i;
                return true;
            }
        }
        scheme = default;
        return false;
    }
}
