using System.Net.WebSockets;
using System.Security.Claims;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore.Tests;

/// <summary>Which pages may open a WebSocket (RFC 6455, section 10.2), and which user handlers see.</summary>
[Trait("Category", "Loopback")]
public sealed class OriginTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly CoapServer _server = new(new CoapServerSettings { Endpoints = [] });
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
        builder.Logging.ClearProviders();
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
