using System.Buffers;

namespace CoAP.Uris;

/// <summary>The characters that are allowed in each component; all others are percent-encoded (RFC 3986, appendix A).</summary>
internal static class UriSyntax
{
    private const string UnreservedCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private const string SubDelimsButAmpersand = "!$'()*+,;=";

    /// <summary>The unreserved characters (RFC 3986, section 2.3).</summary>
    public static readonly SearchValues<char> Unreserved = SearchValues.Create(UnreservedCharacters);

    /// <summary>A registered name (RFC 3986, section 3.2.2).</summary>
    public static readonly SearchValues<char> RegName = SearchValues.Create(UnreservedCharacters + SubDelimsButAmpersand + "&");

    /// <summary>A path segment (RFC 3986, section 3.3; RFC 7252, section 6.5, step 6).</summary>
    public static readonly SearchValues<char> Segment = SearchValues.Create(UnreservedCharacters + SubDelimsButAmpersand + "&:@");

    /// <summary>A query argument: all characters of a query except the "&amp;" between arguments (RFC 7252, section 6.5, step 8).</summary>
    public static readonly SearchValues<char> QueryArgument = SearchValues.Create(UnreservedCharacters + SubDelimsButAmpersand + ":@/?");

    /// <summary>Sets the sentence that says what is wrong, and returns <see langword="false"/>.</summary>
    public static bool Fail(string reason, out string error)
    {
        error = reason;
        return false;
    }
}
