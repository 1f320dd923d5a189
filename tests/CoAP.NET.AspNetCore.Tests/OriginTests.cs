using System.Net.WebSockets;
using System.Security.Claims;
using CoAP.TestSupport;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore.Tests;

/// <summary>Which pages may open a WebSocket (RFC 6455, section 10.2), and which user handlers see.</summary>
[Trait("Category", "Loopback")]
public sealed class OriginTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly CoapServer _server = new(new CoapServerSettings { Endpoints = [] });
    private readonly TestLog _log = new();
    private WebApplication? _application;

    public async ValueTask DisposeAsync()
    {
        if (_application is not null) { await _application.DisposeAsync(); }
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData(null, true)]
    [InlineData("http://{host}", true)]
    [InlineData("https://evil.example", false)]
    [InlineData("http://{host}.evil.example", false)]
    [InlineData("null", false)]
    [InlineData("https://friend.example", true)]
    public async Task A_page_connects_from_the_same_host_or_an_allowed_origin(string? origin, bool connects)
    {
        var address = await StartAsync(allowedOrigins: ["https://friend.example"]);

        (await TryConnectAsync(address, origin?.Replace("{host}", address.Authority))).Should().Be(connects);
    }

    [Theory]
    [InlineData("http", "http", true)]
    [InlineData("http", "https", true)]
    [InlineData("https", "https", true)]
    [InlineData("https", "http", false)]
    public void A_page_of_the_same_host_needs_https_if_the_request_uses_it(string request, string page, bool connects)
    {
        var context = new DefaultHttpContext();
        (context.Request.Scheme, context.Request.Host, context.Request.Headers.Origin) = (request, new HostString("host.example"), $"{page}://host.example");

        new AllowedOrigins([]).Allow(context.Request).Should().Be(connects);
    }

    [Theory]
    [InlineData("example.org"), InlineData("https://example.org/"), InlineData("https://example.org/app"), InlineData("*.example.org")]
    [InlineData("https://*.example.org"), InlineData("example.org:443"), InlineData("https://me@example.org"), InlineData(""), InlineData(null)]
    public void An_entry_that_is_not_an_origin_is_refused(string? entry)
    {
        var create = () => new AllowedOrigins([entry!]);

        create.Should().Throw<ArgumentException>().WithMessage($"'{entry}' is not an origin; write scheme, host and port only, such as https://example.org.*");
    }

    [Theory]
    [InlineData("https://example.org:443", "https://example.org")]
    [InlineData("HTTPS://Example.ORG", "https://example.org")]
    [InlineData("http://[::1]:8080", "http://[::1]:8080")]
    [InlineData("https://bücher.example", "https://xn--bcher-kva.example")]
    [InlineData("chrome-extension://abcdef", "chrome-extension://abcdef")]
    [InlineData("null", "null")]
    public void An_entry_allows_what_browsers_send(string entry, string origin)
    {
        var context = new DefaultHttpContext();
        context.Request.Headers.Origin = origin;

        new AllowedOrigins([entry]).Allow(context.Request).Should().BeTrue();
    }

    [Fact]
    public async Task Refused_pages_write_one_line()
    {
        var address = await StartAsync(allowedOrigins: ["https://friend.example"]);

        for (var i = 0; i < 3; i++) { (await TryConnectAsync(address, "https://evil.example")).Should().BeFalse(); }

        _log.Categories.Should().Contain("CoAP.Connections").And.NotContain("CoAP");
        _log.Lines(LogLevel.Warning).Should().ContainSingle().Which.Should().Contain("https://evil.example").And.Contain("allowedOrigins");
    }

    [Fact]
    public async Task A_star_allows_every_origin() =>
        (await TryConnectAsync(await StartAsync(allowedOrigins: ["*"]), "https://anywhere.example")).Should().BeTrue();

    [Theory]
    [InlineData("Alice", "Alice")]
    [InlineData(null, "nobody")]
    public async Task A_handler_sees_the_user_of_the_web_host(string? name, string seen)
    {
        _server.Resources.At("me").Get(static request => Response.Content(request.Credentials?.User?.Identity?.Name ?? "nobody"), HandlerMode.Inline);
        var address = await StartAsync(name: name);
        await using var client = new CoapClient();

        var response = await client.GetAsync($"coap+ws://{address.Authority}/me").AsTask().WaitAsync(Patience);

        response.PayloadText.Should().Be(seen);
    }

    private static async Task<bool> TryConnectAsync(Uri address, string? origin)
    {
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("coap");
        if (origin is not null) { socket.Options.SetRequestHeader("Origin", origin); }
        using var timeout = new CancellationTokenSource(Patience);
        try
        {
            await socket.ConnectAsync(new Uri($"ws://{address.Authority}/.well-known/coap"), timeout.Token);
            return true;
        }
        catch (WebSocketException exception)
        {
            exception.Message.Should().Contain("403");
            return false;
        }
    }

    private async Task<Uri> StartAsync(string[]? allowedOrigins = null, string? name = null)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton<ILoggerFactory>(_log);
        _application = builder.Build();
        _server.Start();
        if (name is not null)
        {
            _application.Use((context, next) =>
            {
                context.User = new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, name)], "test"));
                return next(context);
            });
        }
        _application.UseWebSockets();
        _application.MapCoap(_server, allowedOrigins: allowedOrigins);
        await _application.StartAsync();
        return new Uri(_application.Urls.First());
    }
}
