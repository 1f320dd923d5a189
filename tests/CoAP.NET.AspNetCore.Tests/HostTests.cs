using System.Net.WebSockets;
using CoAP.TestSupport;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.AspNetCore.Tests;

/// <summary>What the host provides for the server, and its errors if something is missing.</summary>
[Trait("Category", "Loopback")]
public sealed class HostTests
{
    private readonly byte[] _message = new byte[1024];

    [Theory, InlineData(false), InlineData(true)]
    public async Task The_loggers_of_the_host_are_used_if_the_settings_have_none(bool hasSettings)
    {
        var log = new TestLog();
        await using var application = NewApplication(log, hasSettings ? new CoapServerSettings { Endpoints = [] } : null);
        application.UseWebSockets();
        application.MapCoap();
        await application.StartAsync();
        await using var client = new CoapClient();

        var answer = await client.GetAsync($"coap+ws://{AuthorityOf(application)}/broken");

        answer.Code.Should().Be(ResponseCode.InternalServerError);
        log.Lines(LogLevel.Error).Should().Contain(line => line.Contains("/broken", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_host_without_web_sockets_logs_it()
    {
        var log = new TestLog();
        await using var application = NewApplication(log, settings: null);
        application.MapCoap();
        await application.StartAsync();
        using var client = new HttpClient();

        var answer = await client.GetAsync(new Uri($"http://{AuthorityOf(application)}/.well-known/coap"));

        answer.StatusCode.Should().Be(System.Net.HttpStatusCode.InternalServerError);
        log.Exceptions.Should().Contain(error => error.Message.Contains("UseWebSockets", StringComparison.Ordinal));
    }

    [Fact]
    public async Task UseWebSockets_may_be_called_after_MapCoap()
    {
        await using var application = NewApplication(new TestLog(), settings: null);
        application.MapCoap();
        application.UseWebSockets();
        await application.StartAsync();
        await using var client = new CoapClient();

        (await client.GetAsync($"coap+ws://{AuthorityOf(application)}/none")).Code.Should().Be(ResponseCode.NotFound);
    }

    [Fact]
    public void MapCoap_without_a_server_names_AddCoapServer()
    {
        var application = WebApplication.CreateSlimBuilder().Build();

        application.Invoking(static application => application.MapCoap()).Should().Throw<InvalidOperationException>().WithMessage("*AddCoapServer()*");
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task A_host_that_stops_releases_its_connections_before_the_web_server_closes_them()
    {
        await using var application = NewApplication(new TestLog(), settings: null);
        application.UseWebSockets();
        application.MapCoap();
        await application.StartAsync();
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("coap");
        await socket.ConnectAsync(new Uri($"ws://{AuthorityOf(application)}/.well-known/coap"), default);
        await socket.ReceiveAsync(_message.AsMemory(), default);    // the CSM

        var stopping = application.StopAsync();
        var release = await socket.ReceiveAsync(_message.AsMemory(), default).AsTask().WaitAsync(TimeSpan.FromSeconds(60));
        await socket.CloseAsync(WebSocketCloseStatus.NormalClosure, null, default);

        release.MessageType.Should().Be(WebSocketMessageType.Binary);
        _message[1].Should().Be(0xE4, "that is 7.04");
        await stopping;
    }

    private static WebApplication NewApplication(TestLog log, CoapServerSettings? settings)
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        builder.Services.AddSingleton<ILoggerFactory>(log);
        builder.Services.AddCoapServer(defaults => settings ?? defaults with { Endpoints = [] })
            .Map(server => server.Resources.At("broken").Get((_, _) => throw new InvalidOperationException("It is broken.")));
        return builder.Build();
    }

    private static string AuthorityOf(WebApplication application) => new Uri(application.Urls.First()).Authority;
}
