using System.Diagnostics.CodeAnalysis;

namespace CoAP.Uris;

/// <summary>Parses URIs and relative references (RFC 3986, section 5.2; RFC 7252, section 6).</summary>
internal static class CoapUriParser
{
    private const int MaxShownLength = 120;

    /// <inheritdoc cref="CoapUri.TryParse"/>
    public static bool TryParse(string? text, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        var reference = new UriReference(text);
        if (reference.HasScheme) { return TryReadAbsolute(reference, out uri, out error); }
        uri = null;
        return UriSyntax.Fail(
            "The scheme is missing: a CoAP URI starts with a scheme such as \"coap://\", \"coaps://\" or \"coap+tcp://\".", out error);
    }

    /// <inheritdoc cref="CoapUri.TryResolve"/>
    public static bool TryResolve(CoapUri origin, string? reference, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        var parts = new UriReference(reference);
        if (parts.HasScheme) { return TryReadAbsolute(parts, out uri, out error); }
        uri = null;
        if (!HasNoFragment(parts, out error)) { return false; }
        if (parts.HasAuthority) { return TryReadHierarchy(parts, origin.Scheme, out uri, out error); }

        string[] segments = origin.Segments, arguments = origin.Arguments;
        if (!parts.Path.IsEmpty)
        {
            ReadOnlySpan<string> parents = parts.Path[0] == '/' || segments.Length == 0 ? [] : segments.AsSpan(..^1);
            if (!UriParts.TryReadPath(parts.Path, parts.PathStart, parents, out segments, out error)) { return false; }
            arguments = [];
        }
        if (parts.HasQuery && !UriParts.TryReadQuery(parts.Query, parts.QueryStart, out arguments, out error)) { return false; }
        error = null;
        uri = new CoapUri(origin.Scheme, origin.HostName, origin.Port, segments, arguments);
        return true;
    }

    public static FormatException Malformed(string text, string error) =>
        new($"\"{Shorten(WithoutUser(text))}\" is not a CoAP URI. {error}");

    // The text before "@" may be a password, whatever else is wrong with the URI.
    private static string WithoutUser(string text)
    {
        var separator = text.IndexOf("//", StringComparison.Ordinal);
        var start = separator < 0 ? 0 : separator + 2;
        var length = text.AsSpan(start).IndexOfAny('/', '?', '#');
        var at = text.AsSpan(start, length < 0 ? text.Length - start : length).LastIndexOf('@');
        return at < 0 ? text : $"{text.AsSpan(0, start)}…{text.AsSpan(start + at)}";
    }

    private static bool TryReadAbsolute(
        in UriReference parts, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        uri = null;
        if (!CoapSchemeExtensions.TryFind(parts.Scheme, out var scheme))
        {
            return UriSyntax.Fail(
                $"The scheme \"{Shorten(parts.Scheme)}\" is none of coap, coaps, coap+tcp, coaps+tcp, coap+ws and coaps+ws.", out error);
        }
        if (!HasNoFragment(parts, out error)) { return false; }
        if (parts.HasAuthority) { return TryReadHierarchy(parts, scheme, out uri, out error); }
        return UriSyntax.Fail($"The host is missing: \"//\" and a host must follow at position {parts.PathStart}.", out error);
    }

    private static bool HasNoFragment(in UriReference parts, [NotNullWhen(false)] out string? error)
    {
        error = parts.HasFragment
            ? $"The fragment \"{Shorten(parts.Fragment)}\" at position {parts.FragmentStart} is not allowed (RFC 7252, section 6.4, step 4)."
            : null;
        return error is null;
    }

    private static bool TryReadHierarchy(
        in UriReference parts, CoapScheme scheme, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        uri = null;
        var arguments = Array.Empty<string>();
        if (!TryReadAuthority(parts.Authority, parts.AuthorityStart, out var host, out var port, out error)
            || !UriParts.TryReadPath(parts.Path, parts.PathStart, [], out var segments, out error)
            || (parts.HasQuery && !UriParts.TryReadQuery(parts.Query, parts.QueryStart, out arguments, out error)))
        {
            return false;
        }
        error = null;
        uri = new CoapUri(scheme, host, port ?? scheme.GetDefaultPort(), segments, arguments);
        return true;
    }

    private static bool TryReadAuthority(
        ReadOnlySpan<char> authority, int position, out HostName host, out int? port, [NotNullWhen(false)] out string? error)
    {
        (host, port) = (default, null);
        var at = authority.IndexOf('@');
        if (at >= 0)
        {
            // Not shown, because the text before "@" may be a password.
            error = $"The \"@\" at position {position + at} ends a user name, which CoAP URIs do not have (RFC 7252, section 6.1).";
            return false;
        }
        var bracket = authority.StartsWith('[') ? authority.IndexOf(']') + 1 : 0;
        var colon = authority[bracket..].IndexOf(':') + bracket;
        if (colon < bracket) { return HostName.TryRead(authority, position, out host, out error); }
        if (!HostName.TryRead(authority[..colon], position, out host, out error)) { return false; }
        if (colon == authority.Length - 1) { return true; }
        if (!UriParts.TryReadPort(authority[(colon + 1)..], position + colon + 1, out var number, out error)) { return false; }
        port = number;
        return true;
    }

    private static string Shorten(ReadOnlySpan<char> text) =>
        text.Length <= MaxShownLength ? text.ToString() : $"{text[..MaxShownLength]}…";
}
