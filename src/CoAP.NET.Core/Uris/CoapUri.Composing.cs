using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Text;
using CoAP.Options;
using CoAP.Uris;

namespace CoAP;

/// <content>From options (RFC 7252, sections 6.5 and 5.10.7; RFC 8323, section 8.7).</content>
public sealed partial class CoapUri
{
    /// <summary>The URI that a request asks for.</summary>
    /// <inheritdoc cref="TryFromOptions(CoapScheme, OptionSet, IPAddress, int, out CoapUri?, out string?)" path="/param|/remarks"/>
    /// <exception cref="FormatException">The options make no URI; the message says which.</exception>
    public static CoapUri FromOptions(CoapScheme scheme, OptionSet options, IPAddress destination, int destinationPort) =>
        TryFromOptions(scheme, options, destination, destinationPort, out var uri, out var error) ? uri : throw new FormatException(error);

    /// <summary>The URI that a request asks for whose host is known without Uri-Host: from the SNI of TLS or the Host header of WebSockets
    /// (RFC 8323, section 8.5).</summary>
    /// <inheritdoc cref="TryFromOptions(CoapScheme, OptionSet, string, int, out CoapUri?, out string?)" path="/param|/remarks"/>
    /// <exception cref="FormatException">The options make no URI; the message says which.</exception>
    public static CoapUri FromOptions(CoapScheme scheme, OptionSet options, string defaultHost, int destinationPort) =>
        TryFromOptions(scheme, options, defaultHost, destinationPort, out var uri, out var error) ? uri : throw new FormatException(error);

    /// <summary>The URI that a request asks for.</summary>
    /// <param name="scheme">The scheme of the transport that the request came over.</param>
    /// <param name="options">The request's options.</param>
    /// <param name="destination">The address that the request went to: the host where there is no Uri-Host.</param>
    /// <param name="destinationPort">The port that the request went to: the port where there is no Uri-Port.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">Which option is wrong, as a sentence.</param>
    /// <remarks>Proxy-Uri and Proxy-Scheme are not looked at.</remarks>
    public static bool TryFromOptions(
        CoapScheme scheme, OptionSet options, IPAddress destination, int destinationPort,
        [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return TryCompose(scheme, options, HostName.Of(destination), destinationPort, out uri, out error);
    }

    /// <summary>The URI that a request asks for whose host is known without Uri-Host.</summary>
    /// <param name="scheme">The scheme of the transport that the request came over.</param>
    /// <param name="options">The request's options.</param>
    /// <param name="defaultHost">The host where there is no Uri-Host, as it stands in URIs.</param>
    /// <param name="destinationPort">The port that the request went to: the port where there is no Uri-Port.</param>
    /// <param name="uri">The URI.</param>
    /// <param name="error">Which option is wrong, as a sentence.</param>
    /// <remarks>Proxy-Uri and Proxy-Scheme are not looked at.</remarks>
    public static bool TryFromOptions(
        CoapScheme scheme, OptionSet options, string defaultHost, int destinationPort,
        [NotNullWhen(true)] out CoapUri? uri, [NotNullWhen(false)] out string? error)
    {
        ArgumentNullException.ThrowIfNull(defaultHost);
        uri = null;
        return HostName.TryRead(defaultHost, 0, out var host, out error)
            && TryCompose(scheme, options, host, destinationPort, out uri, out error);
    }

    /// <summary>The relative reference that the Location-Path and Location-Query options of a response make; <see cref="Resolve"/> it
    /// against the request's URI.</summary>
    /// <returns><see langword="null"/> where there are none, or one that is not valid (RFC 7252, section 5.10.7).</returns>
    public static string? LocationOf(OptionSet options)
    {
        List<string> segments = [], arguments = [];
        for (var reader = options.Read(); reader.Next();)
        {
            var number = reader.Number;
            if (number != LocationPath.Declaration.Number && number != LocationQuery.Declaration.Number) { continue; }
            var isPath = number == LocationPath.Declaration.Number;
            if (!TryReadText(isPath ? LocationPath.Declaration : LocationQuery.Declaration, reader.Value, out var text)) { return null; }
            if (isPath && text is "." or "..") { return null; }
            (isPath ? segments : arguments).Add(text);
        }
        if (segments.Count + arguments.Count == 0) { return null; }
        var path = new StringBuilder().AppendPath(UriParts.Normalize(segments)).AppendQuery(arguments).ToString();

        // Two slashes at the start would name a host (RFC 3986, section 4.2).
        return path.StartsWith("//", StringComparison.Ordinal) ? $"/.{path}" : path;
    }

    private static bool TryCompose(
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
            var declaration = Find(reader.Number);
            if (declaration is null) { continue; }
            if (!declaration.IsValid(reader.Value) || (reader.Number == previous && !declaration.IsRepeatable))
            {
                error = $"Option {declaration} occurs twice or has a value that it may not have.";
                return false;
            }
            if (reader.Number == UriPort.Declaration.Number)
            {
                port = (int)UIntOption.Read(reader.Value);
                continue;
            }
            var text = Encoding.UTF8.GetString(reader.Value);
            if (reader.Number == UriHost.Declaration.Number && !TryReadHostOption(text, out host, out error)) { return false; }
            if (reader.Number == UriPath.Declaration.Number) { segments.Add(text); }
            if (reader.Number == UriQuery.Declaration.Number) { arguments.Add(text); }
            if (reader.Number != UriPath.Declaration.Number || text is not ("." or "..")) { continue; }
            error = $"Option {declaration} is \"{text}\", which it must not be (RFC 7252, section 5.10.1).";
            return false;
        }
        error = null;
        uri = new CoapUri(scheme, host, port, UriParts.Normalize(segments), [.. arguments]);
        return true;
    }

    private static OptionDeclaration? Find(int number) => number switch
    {
        3 => UriHost.Declaration,
        7 => UriPort.Declaration,
        11 => UriPath.Declaration,
        15 => UriQuery.Declaration,
        _ => null,
    };

    // Step 2: what is not ASCII is percent-encoded, and the outcome has to be a host as it stands in URIs.
    private static bool TryReadHostOption(string value, out HostName host, [NotNullWhen(false)] out string? error)
    {
        var encoded = new StringBuilder(value.Length);
        foreach (var rune in value.EnumerateRunes())
        {
            if (rune.IsAscii) { encoded.Append((char)rune.Value); }
            else { encoded.AppendEncoded(rune.ToString(), UriSyntax.Unreserved); }
        }
        if (HostName.TryRead(encoded.ToString(), 0, out host, out error)) { return true; }
        error = $"Option {UriHost.Declaration} is no host. {error}";
        return false;
    }

    private static bool TryReadText(OptionDeclaration declaration, ReadOnlySpan<byte> value, [NotNullWhen(true)] out string? text)
    {
        text = declaration.IsValid(value) ? Encoding.UTF8.GetString(value) : null;
        return text is not null;
    }
}
