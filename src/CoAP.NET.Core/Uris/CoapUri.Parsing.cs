using System.Diagnostics.CodeAnalysis;
using CoAP.Uris;

namespace CoAP;

/// <content>From text, absolute or relative.</content>
public sealed partial class CoapUri
{
    private const int MaxShownLength = 120;

    /// <summary>Reads an absolute URI with one of the CoAP schemes.</summary>
    /// <exception cref="FormatException">The text is no such URI; the message says what is wrong and where.</exception>
    public static CoapUri Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        return TryParse(text, out var uri, out var error) ? uri : throw Malformed(text, error);
    }

    /// <summary>Reads an absolute URI with one of the CoAP schemes.</summary>
    /// <param name="text">The URI in ASCII; anything else in it is percent-encoded (RFC 3986, section 2).</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">What is wrong and where, as a sentence.</param>
    public static bool TryParse(string? text, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        var reference = new UriReference(text);
        if (reference.HasScheme) { return TryReadAbsolute(reference, out uri, out error); }
        uri = null;
        error = "The scheme is missing: a CoAP URI begins with \"coap://\", \"coaps://\", \"coap+tcp://\" or a like.";
        return false;
    }

    /// <summary>The URI that a reference means here, such as "../light", "?u=Cel" or another URI (RFC 3986, section 5.2).</summary>
    /// <exception cref="FormatException">The reference is malformed, has a fragment or leads out of CoAP; the message says what is wrong
    /// and where.</exception>
    public CoapUri Resolve(string reference)
    {
        ArgumentNullException.ThrowIfNull(reference);
        return TryResolve(reference, out var uri, out var error) ? uri : throw Malformed(reference, error);
    }

    /// <summary>The URI that a reference means here (RFC 3986, section 5.2).</summary>
    /// <param name="reference">A relative reference or an absolute URI.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">What is wrong and where, as a sentence.</param>
    public bool TryResolve(string? reference, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        var parts = new UriReference(reference);
        if (parts.HasScheme) { return TryReadAbsolute(parts, out uri, out error); }
        uri = null;
        if (!TryRefuseFragment(parts, out error)) { return false; }
        if (parts.HasAuthority) { return TryReadHierarchy(parts, Scheme, out uri, out error); }

        string[] segments = _segments, arguments = _arguments;
        if (!parts.Path.IsEmpty)
        {
            ReadOnlySpan<string> parents = parts.Path[0] == '/' || _segments.Length == 0 ? [] : _segments.AsSpan(.._segments.Length)[..^1];
            if (!UriParts.TryReadPath(parts.Path, parts.PathStart, parents, out segments, out error)) { return false; }
            arguments = [];
        }
        if (parts.HasQuery && !UriParts.TryReadQuery(parts.Query, parts.QueryStart, out arguments, out error)) { return false; }
        error = null;
        uri = new CoapUri(Scheme, _host, Port, segments, arguments);
        return true;
    }

    private static bool TryReadAbsolute(
        in UriReference parts, [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        uri = null;
        if (!CoapSchemeExtensions.TryFind(parts.Scheme, out var scheme))
        {
            error = $"The scheme \"{Shorten(parts.Scheme)}\" is none of coap, coaps, coap+tcp, coaps+tcp, coap+ws and coaps+ws.";
            return false;
        }
        if (!TryRefuseFragment(parts, out error)) { return false; }
        if (parts.HasAuthority) { return TryReadHierarchy(parts, scheme, out uri, out error); }
        error = $"The host is missing: \"//\" and a host have to stand at position {parts.PathStart}.";
        return false;
    }

    private static bool TryRefuseFragment(in UriReference parts, [NotNullWhen(false)] out string? error)
    {
        error = parts.HasFragment
            ? $"The fragment \"{Shorten(parts.Fragment)}\" at position {parts.FragmentStart} cannot be asked for (RFC 7252, section 6.4, step 4)."
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
            // Not shown: what stands before an "@" may be a password.
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

    private static FormatException Malformed(string text, string error) => new($"\"{Shorten(text)}\" is no CoAP URI. {error}");

    private static string Shorten(ReadOnlySpan<char> text) =>
        text.Length <= MaxShownLength ? text.ToString() : $"{text[..MaxShownLength]}…";
}
