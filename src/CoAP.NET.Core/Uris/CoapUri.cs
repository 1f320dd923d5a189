using System.Net;
using CoAP.Options;

namespace CoAP;

/// <summary>A URI of the coap schemes, in its first and narrow form.</summary>
public sealed class CoapUri
{
    private readonly Uri _uri;

    private CoapUri(Uri uri) => _uri = uri;

    /// <summary>The scheme.</summary>
    public CoapScheme Scheme => _uri.Scheme == "coap+tcp" ? CoapScheme.CoapTcp : CoapScheme.Coap;

    /// <summary>The host.</summary>
    public string Host => _uri.Host;

    /// <summary>The port.</summary>
    public int Port => _uri.Port < 0 ? 5683 : _uri.Port;

    /// <summary>Reads a URI.</summary>
    public static CoapUri Parse(string text) => new(new Uri(text));

    /// <summary>The options that a request to the address gets (RFC 7252, section 6.4).</summary>
    public OptionSet ToOptions(IPAddress address, int port) => address is null || port < 0 ? default : ToPathOptions();

    /// <summary>Path and query as options.</summary>
    public OptionSet ToPathOptions() => OptionSet.Create(
    [
        .. _uri.AbsolutePath.Split('/', StringSplitOptions.RemoveEmptyEntries).Select(segment => new UriPath(segment)),
        .. _uri.Query.TrimStart('?').Split('&', StringSplitOptions.RemoveEmptyEntries).Select(argument => new UriQuery(argument)),
    ]);
}

/// <summary>The URI schemes.</summary>
public enum CoapScheme
{
    /// <summary>coap.</summary>
    Coap,

    /// <summary>coap+tcp.</summary>
    CoapTcp,
}

/// <summary>The Content-Formats that are used most.</summary>
public static class ContentFormats
{
    /// <summary>text/plain;charset=utf-8.</summary>
    public const uint TextPlain = 0;

    /// <summary>application/octet-stream.</summary>
    public const uint OctetStream = 42;

    /// <summary>application/json.</summary>
    public const uint Json = 50;

    /// <summary>application/cbor.</summary>
    public const uint Cbor = 60;
}
