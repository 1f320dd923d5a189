using System.Buffers;
using CoAP.Vocabulary;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore;

/// <summary>Decides which web pages may open a WebSocket (RFC 6455, section 10.2), and logs those that may not. Safe for concurrent use.</summary>
internal sealed partial class AllowedOrigins
{
    private const string Any = "*";
    private const string Opaque = "null";       // what a browser sends for a sandboxed page or a local file

    private static readonly SearchValues<char> NotInAuthority = SearchValues.Create("/?#@\\* ");

    private readonly HashSet<string> _origins = new(StringComparer.OrdinalIgnoreCase);
    private readonly LogGate _gate = new(TimeProvider.System);

    /// <exception cref="ArgumentException">An entry is not an origin.</exception>
    public AllowedOrigins(IReadOnlyCollection<string>? allowedOrigins)
    {
        foreach (var origin in allowedOrigins ?? [])
        {
            _origins.Add(Normalize(origin) ?? throw new ArgumentException(
                $"'{origin}' is not an origin; write scheme, host and port only, such as https://example.org.", nameof(allowedOrigins)));
        }
    }

    /// <summary>Returns whether the page that sends a request may connect. A request without an Origin header does not come from a browser.</summary>
    public bool Allow(HttpRequest request)
    {
        var origin = request.Headers.Origin.ToString();
        return origin.Length == 0 || _origins.Contains(Any) || _origins.Contains(origin) || IsSameHost(origin, request);
    }

    /// <summary>Logs that a page may not connect, at most once every 10 s.</summary>
    public void LogRefusal(HttpContext context)
    {
        if (!_gate.TryPass(out var held)) { return; }
        var logger = context.RequestServices.GetRequiredService<ILoggerFactory>().CreateLogger("CoAP.Connections");
        OriginRefused(logger, ForeignText.Clean(context.Request.Headers.Origin.ToString()), context.Connection.RemoteIpAddress?.ToString(), held);
    }

    // If the request was not received over TLS, a proxy may have terminated it. The page can then have either scheme.
    private static bool IsSameHost(string origin, HttpRequest request) =>
        Uri.TryCreate(origin, UriKind.Absolute, out var page) && page.Authority.Equals(request.Host.Value, StringComparison.OrdinalIgnoreCase)
        && (!request.IsHttps || page.Scheme == Uri.UriSchemeHttps);

    // An origin is a scheme, a host and a port (RFC 6454). Browsers leave out the default port.
    private static string? Normalize(string? origin)
    {
        if (origin is Any or Opaque) { return origin; }
        var authority = origin?.IndexOf("://", StringComparison.Ordinal) is > 0 and var at ? origin.AsSpan(at + 3) : default;
        if (authority.IsEmpty || authority.ContainsAny(NotInAuthority) || !Uri.TryCreate(origin, UriKind.Absolute, out var uri)) { return null; }
        var host = uri.HostNameType == UriHostNameType.Dns ? uri.IdnHost : uri.Host;
        return uri.IsDefaultPort ? $"{uri.Scheme}://{host}" : $"{uri.Scheme}://{host}:{uri.Port}";
    }

    [LoggerMessage(70, LogLevel.Warning,
        "A WebSocket from {Peer} was refused because its page has the origin {Origin}. To allow it, list the origin in the allowedOrigins parameter of MapCoap.{Held}")]
    private static partial void OriginRefused(ILogger logger, string origin, string? peer, HeldCount held);
}
