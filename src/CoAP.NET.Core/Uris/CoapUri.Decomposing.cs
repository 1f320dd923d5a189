using System.Net;
using CoAP.Options;
using CoAP.Uris;

namespace CoAP;

/// <content>To options (RFC 7252, section 6.4; RFC 8323, section 8.6).</content>
public sealed partial class CoapUri
{
    /// <summary>The options of a request that goes to the host and port of this URI: Uri-Host for a name, Uri-Path and Uri-Query.</summary>
    public OptionSet ToOptions() => Collect(_host.Address is null, withPort: false);

    /// <summary>The options of a request that goes to an address, which may be a proxy's or one that the name stands for.</summary>
    /// <param name="destination">The address the request goes to.</param>
    /// <param name="destinationPort">The port the request goes to.</param>
    public OptionSet ToOptions(IPAddress destination, int destinationPort) => Collect(!IsAt(destination), Port != destinationPort);

    /// <summary>The options of a request whose host is known without Uri-Host: from the SNI of TLS, the Host header of WebSockets
    /// (RFC 8323, section 8.5), or by agreement.</summary>
    /// <param name="defaultHost">The host that an absent Uri-Host means, as it stands in URIs.</param>
    /// <param name="destinationPort">The port the request goes to.</param>
    /// <exception cref="ArgumentException"><paramref name="defaultHost"/> is no host.</exception>
    public OptionSet ToOptions(string defaultHost, int destinationPort) =>
        Collect(Host != ReadHost(defaultHost).Text, Port != destinationPort);

    /// <summary>Path and query alone, for a request whose destination says the rest.</summary>
    public OptionSet ToPathOptions() => Collect(withHost: false, withPort: false);

    /// <summary>Adds what <see cref="ToOptions()"/> returns.</summary>
    public void AppendTo(ICollection<CoapOption> options) => Append(options, _host.Address is null, withPort: false);

    /// <summary>Adds what <see cref="ToOptions(IPAddress, int)"/> returns.</summary>
    /// <inheritdoc cref="ToOptions(IPAddress, int)" path="/param"/>
    public void AppendTo(ICollection<CoapOption> options, IPAddress destination, int destinationPort) =>
        Append(options, !IsAt(destination), Port != destinationPort);

    private bool IsAt(IPAddress destination)
    {
        ArgumentNullException.ThrowIfNull(destination);
        return _host.IsLiteralOf(destination);
    }

    private static HostName ReadHost(string host) =>
        HostName.TryRead(host, 0, out var name, out var error)
            ? name
            : throw new ArgumentException($"\"{host}\" is no host. {error}", nameof(host));

    private OptionSet Collect(bool withHost, bool withPort)
    {
        var options = new List<CoapOption>(2 + _segments.Length + _arguments.Length);
        Append(options, withHost, withPort);
        return [.. options];
    }

    private void Append(ICollection<CoapOption> options, bool withHost, bool withPort)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (withHost) { options.Add(new UriHost(Host)); }
        if (withPort) { options.Add(new UriPort((uint)Port)); }
        foreach (var segment in _segments) { options.Add(new UriPath(segment)); }
        foreach (var argument in _arguments) { options.Add(new UriQuery(argument)); }
    }
}
