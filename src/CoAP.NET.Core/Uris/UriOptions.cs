using System.Diagnostics.CodeAnalysis;
using System.Text;
using CoAP.Options;

namespace CoAP.Uris;

/// <summary>Composes URIs from options (RFC 7252, sections 6.5 and 5.10.7; RFC 8323, section 8.7).</summary>
internal static class UriOptions
{
    private static readonly OptionDeclaration[] OfUri =
        [UriHost.Declaration, UriPort.Declaration, UriPath.Declaration, UriQuery.Declaration];

    /// <inheritdoc cref="CoapUri.TryFromOptions(CoapScheme, OptionSet, string, int, out CoapUri?, out string?)"/>
    public static bool TryRead(
        CoapScheme scheme, OptionSet options, HostName host, int port,
        [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(port, "destinationPort");
        ArgumentOutOfRangeException.ThrowIfGreaterThan(port, ushort.MaxValue, "destinationPort");
        uri = null;
        List<string> segments = [], arguments = [];
        var previous = -1;
        for (var reader = options.Read(); reader.Next(); previous = reader.Number)
        {
            var number = reader.Number;
            if (Array.Find(OfUri, part => part.Number == number) is not { } declaration) { continue; }
            if (!declaration.IsValid(reader.Value) || (number == previous && !declaration.IsRepeatable))
            {
                return UriSyntax.Fail($"Option {declaration} occurs twice or has an invalid value.", out error);
            }
            if (declaration == UriPort.Declaration)
            {
                port = (int)UIntOption.Read(reader.Value);
                continue;
            }
            var text = Encoding.UTF8.GetString(reader.Value);
            if (declaration == UriHost.Declaration && !TryReadHost(text, out host, out error)) { return false; }
            if (declaration == UriPath.Declaration) { segments.Add(text); }
            if (declaration == UriQuery.Declaration) { arguments.Add(text); }
        }
        error = null;
        uri = new CoapUri(scheme, host, port, UriParts.Normalize(segments), [.. arguments]);
        return true;
    }

    /// <inheritdoc cref="CoapUri.LocationOf"/>
    public static string? LocationOf(OptionSet options)
    {
        List<string> segments = [], arguments = [];
        for (var reader = options.Read(); reader.Next();)
        {
            if (reader.Number is 128 or 132 or 136 or 140) { return null; } // Reserved: they would change the location (RFC 7252, section 5.10.7).
            var isPath = reader.Number == LocationPath.Declaration.Number;
            if (!isPath && reader.Number != LocationQuery.Declaration.Number) { continue; }
            if (!(isPath ? LocationPath.Declaration : LocationQuery.Declaration).IsValid(reader.Value)) { return null; }
            (isPath ? segments : arguments).Add(Encoding.UTF8.GetString(reader.Value));
        }
        if (segments.Count + arguments.Count == 0) { return null; }
        var path = new StringBuilder().AppendPath(UriParts.Normalize(segments)).AppendQuery(arguments).ToString();

        // Two slashes at the start would mean a host (RFC 3986, section 4.2).
        return path.StartsWith("//", StringComparison.Ordinal) ? $"/.{path}" : path;
    }

    // Step 2: characters outside of ASCII are percent-encoded, and the result must be a valid host of a URI.
    private static bool TryReadHost(string value, out HostName host, [NotNullWhen(false)] out string? error)
    {
        var encoded = new StringBuilder(value.Length);
        foreach (var rune in value.EnumerateRunes())
        {
            if (rune.IsAscii) { encoded.Append((char)rune.Value); }
            else { encoded.AppendEncoded(rune.ToString(), UriSyntax.Unreserved); }
        }
        if (HostName.TryRead(encoded.ToString(), 0, out host, out error)) { return true; }
        return UriSyntax.Fail($"Option {UriHost.Declaration} is not a host. {error}", out error);
    }
}
