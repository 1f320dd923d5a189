using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Net;
using CoAP.Uris;

namespace CoAP.Transports;

/// <summary>Reads endpoints of a server from text, such as "coap://*:5683".</summary>
internal static class ServerEndpointText
{
    private const string Example = "coap://*:5683";
    private const string Separator = "://";
    private const int CoapPort = 5683;
    private const int CoapsPort = 5684;

    private static readonly (string Scheme, int Port, Func<IPEndPoint, ServerEndpoint> Make)[] Schemes =
    [
        ("coap", CoapPort, ServerEndpoint.Udp), ("coaps", CoapsPort, ServerEndpoint.Dtls),
        ("coap+tcp", CoapPort, ServerEndpoint.Tcp), ("coaps+tcp", CoapsPort, ServerEndpoint.Tls),
    ];

    /// <summary>Reads one endpoint, or the two endpoints of "localhost".</summary>
    /// <param name="text">The text.</param>
    /// <param name="endpoints">The endpoints.</param>
    /// <param name="error">What is wrong, and what to write instead.</param>
    public static bool TryRead(string text, [NotNullWhen(true)] out ServerEndpoint[]? endpoints, [NotNullWhen(false)] out string? error)
    {
        endpoints = null;
        var end = text.IndexOf(Separator, StringComparison.Ordinal);
        if (string.IsNullOrWhiteSpace(text)) { error = $"The endpoint is empty; write {Example}."; }
        else if (HasUser(text, end))
        {
            // Not shown, because the text before "@" may be a password.
            error = $"The endpoint has a user name before \"@\", but CoAP URIs have none (RFC 7252, section 6.1); write {Example}.";
        }
        else if (end <= 0) { error = $"Endpoint '{text}' has no scheme; write {WithScheme(text)}."; }
        else
        {
            error = Read(text[..end].ToLowerInvariant(), text[(end + Separator.Length)..], out endpoints);
            if (error is not null) { error = $"Endpoint '{text}' is invalid: {error}."; }
        }
        return error is null;
    }

    private static bool HasUser(string text, int end)
    {
        if (end > 0 && text[..end].ToLowerInvariant() is "coap+unix" or "in-memory") { return false; }
        var rest = text.AsSpan(end < 0 ? 0 : end + Separator.Length);
        var path = rest.IndexOf('/');
        return (path < 0 ? rest : rest[..path]).Contains('@');
    }

    private static string WithScheme(string text)
    {
        var rest = text.StartsWith(Separator, StringComparison.Ordinal) ? text[Separator.Length..] : text;
        return Read("coap", rest, out _) is null ? $"coap://{rest}" : Example;
    }

    private static string? Read(string scheme, string rest, out ServerEndpoint[]? endpoints)
    {
        endpoints = null;
        if (scheme is "coap+unix" or "in-memory") { return ReadName(scheme, rest, out endpoints); }
        var index = Array.FindIndex(Schemes, known => known.Scheme == scheme);
        if (index < 0) { return OfScheme(scheme, rest); }
        var (_, port, make) = Schemes[index];
        IPAddress[] addresses = [];
        var error = Split(rest, out var host, out var portText) ?? ReadPort(portText, ref port) ?? ReadHost(host, $"{scheme}://", out addresses);
        if (error is not null) { return error; }
        endpoints = Array.ConvertAll(addresses, address => make(new IPEndPoint(address, port)));
        return null;
    }

    private static string? ReadName(string scheme, string rest, out ServerEndpoint[]? endpoints)
    {
        endpoints = null;
        if (rest.Length == 0) { return scheme == "in-memory" ? "it has no name; write in-memory://server" : "it has no path; write coap+unix:///run/coap.sock"; }
        endpoints = [scheme == "in-memory" ? ServerEndpoint.InMemory(rest) : ServerEndpoint.Unix(rest)];
        return null;
    }

    private static string OfScheme(string scheme, string rest) => scheme switch
    {
        "coap+ws" or "coaps+ws" or "ws" or "wss" =>
            $"the web host accepts WebSockets, not the server; call MapCoap of the package CoAP.NET.AspNetCore, or write {Example} for datagrams",
        "http" or "https" => $"'{scheme}' is not a scheme of CoAP; write {WithScheme(rest)}",
        _ => $"'{scheme}' is not a scheme of a server; the schemes are {string.Join(", ", Schemes.Select(known => known.Scheme))}, coap+unix and in-memory",
    };

    // Splits at the colon of the port. The colons of an IPv6 address are within brackets.
    private static string? Split(string rest, out string host, out string? port)
    {
        (host, port) = (rest, null);
        if (rest.Contains(Separator, StringComparison.Ordinal))
        {
            return "it contains several endpoints; separate them by semicolons and call ParseAll, or write each as an element of the list in the configuration";
        }
        var tail = rest.AsSpan().IndexOfAny('/', '?', '#');
        if (tail >= 0)
        {
            return $"'{rest[tail..]}' is behind the address; an endpoint has no path and no query, because resources are mapped at paths";
        }
        var bracket = rest.LastIndexOf(']');
        var colon = rest.IndexOf(':', bracket + 1);
        if (bracket < 0 && colon != rest.LastIndexOf(':')) { return "an IPv6 address needs brackets; write coap://[::1]:5683"; }
        if (colon >= 0) { (host, port) = (rest[..colon], rest[(colon + 1)..]); }
        return null;
    }

    // An empty port is the default one (RFC 7252, section 6.1). A port has digits only, and any number of them (RFC 3986, section 3.2.3).
    private static string? ReadPort(string? text, ref int port)
    {
        if (string.IsNullOrEmpty(text)) { return null; }
        if (text.AsSpan().ContainsAnyExceptInRange('0', '9')) { return $"port '{text}' does not consist of digits; ports are 0 to {IPEndPoint.MaxPort}"; }
        if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var number) || number > IPEndPoint.MaxPort)
        {
            return $"port {text} is out of range; ports are 0 to {IPEndPoint.MaxPort}, and 0 takes a free one";
        }
        port = number;
        return null;
    }

    private static string? ReadHost(string host, string scheme, out IPAddress[] addresses)
    {
        addresses = [];
        switch (host)
        {
            case "": return $"it has no address; write {scheme}* for all addresses of the machine";
            case "*": addresses = [IPAddress.IPv6Any]; return null;
            case var _ when host.Equals("localhost", StringComparison.OrdinalIgnoreCase): addresses = [IPAddress.Loopback, IPAddress.IPv6Loopback]; return null;
            case ['[', ..]: return ReadLiteral(host, out addresses);
            // The parser also accepts "1" and "127.1", which are usually something else.
            case var _ when IPAddress.TryParse(host, out var v4) && v4.ToString() == host: addresses = [v4]; return null;
            default: return $"'{host}' is not an IP address; a server listens on addresses, not on host names; write {scheme}* for all addresses of the machine";
        }
    }

    // A zone follows "%25" (RFC 6874, section 2). A bare "%" is accepted, also before two digits that could be an encoded byte, because systems print it.
    private static string? ReadLiteral(string host, out IPAddress[] addresses)
    {
        addresses = [];
        var zone = host.IndexOf('%', StringComparison.Ordinal);
        var inUri = zone >= 0 && !host.AsSpan(zone).StartsWith("%25") ? host.Insert(zone + 1, "25") : host;
        if (!HostName.TryRead(inUri, 0, out var name, out _) || name.Address is not { } address)
        {
            return $"'{host}' is not an IPv6 address; write [::1], or [fe80::1%25eth0] with the zone of a link-local address";
        }
        addresses = [address];
        return AddressZones.Find(address, name.Zone)?.Text;
    }
}
