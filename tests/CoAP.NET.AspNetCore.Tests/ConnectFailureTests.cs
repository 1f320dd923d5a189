using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using Microsoft.AspNetCore.Builder;

namespace CoAP.AspNetCore.Tests;

/// <summary>If no connection can be set up, the error names the part that failed.</summary>
[Trait("Category", "Loopback")]
public sealed class ConnectFailureTests
{
    [Theory, InlineData("coap+ws", false), InlineData("coap+ws", true), InlineData("coaps+ws", false), InlineData("coap+tcp", false), InlineData("coaps+tcp", true)]
    public async Task A_port_without_a_listener_is_a_failure_of_tcp(string scheme, bool isSync)
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));

        var error = await FailAsync<CoapTransportException>($"{scheme}://{taken.LocalEndPoint}/", isSync);

        error.Message.Should().StartWith($"No TCP connection to {taken.LocalEndPoint}").And.Contain("refused");
    }

    [Theory, InlineData("coap+ws"), InlineData("coap+tcp")]
    public async Task A_name_without_an_address_is_a_failure_of_the_address(string scheme)
    {
        var error = await FailAsync<CoapTransportException>($"{scheme}://nowhere.invalid/", isSync: false);

        error.Message.Should().StartWith("The name 'nowhere.invalid' has no address");
    }

    [Theory, InlineData(false), InlineData(true), Trait("RFC", "8323 4.1")]
    public async Task A_status_of_http_is_a_failure_of_the_upgrade(bool isSync)
    {
        await using var host = await StartAsync(context => { context.Response.StatusCode = 403; return Task.CompletedTask; });

        var error = await FailAsync<CoapTransportException>($"coap+ws://{AuthorityOf(host)}/", isSync);

        error.Message.Should().Contain("upgrade to a WebSocket at /.well-known/coap").And.Contain("403 (Forbidden)");
    }

    [Theory, InlineData(null), InlineData("mqtt"), Trait("RFC", "8323 4.1")]
    public async Task Another_subprotocol_or_none_is_a_failure_of_the_upgrade(string? subprotocol)
    {
        await using var host = await StartAsync(context => context.WebSockets.AcceptWebSocketAsync(subprotocol));

        var error = await FailAsync<CoapTransportException>($"coap+ws://{AuthorityOf(host)}/", isSync: false);

        error.Message.Should().Contain("upgrade to a WebSocket").And.Contain("'coap'");
    }

    [Theory, InlineData("coap+ws", "answer the upgrade"), InlineData("coaps+ws", "TLS handshake"), InlineData("coaps+tcp", "TLS handshake")]
    public async Task A_silent_server_is_a_failure_of_the_step_that_it_did_not_answer(string scheme, string what)
    {
        using var silent = new TcpListener(IPAddress.Loopback, 0);
        silent.Start();

        var error = await FailAsync<CoapException>($"{scheme}://{silent.LocalEndpoint}/", isSync: false, patience: 2);

        error.Message.Should().Contain(what).And.Contain("within 2 s");
    }

    [Theory, Trait("RFC", "8323 9.2"), InlineData("coaps+ws", false), InlineData("coaps+tcp", false), InlineData("coaps+tcp", true)]
    public async Task A_server_without_tls_is_a_failure_of_the_protocol(string scheme, bool isSync)
    {
        await using var host = await StartAsync(_ => Task.CompletedTask);

        var error = await FailAsync<CoapSecurityException>($"{scheme}://{AuthorityOf(host)}/", isSync);

        error.Failure.Should().Be(TlsFailure.Protocol);
    }

    [Fact, Trait("RFC", "8323 4.1")]
    public async Task A_server_that_does_not_speak_http_is_a_failure_of_the_upgrade()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        var serving = Task.Run(async () =>
        {
            using var peer = await server.AcceptSocketAsync();
            await peer.SendAsync("220 ready\r\n\r\n"u8.ToArray());
            await peer.ReceiveAsync(new byte[2000]);
        });

        var error = await FailAsync<CoapTransportException>($"coap+ws://{server.LocalEndpoint}/", isSync: false);

        error.Message.Should().Contain("upgrade to a WebSocket at /.well-known/coap failed");
        await serving;
    }

    [Theory, InlineData(WebSocketCloseStatus.InternalServerError, "tired", "1011 (InternalServerError): tired"), InlineData(WebSocketCloseStatus.EndpointUnavailable, "", "1001")]
    public async Task The_error_has_the_close_code_and_the_reason_of_the_server(WebSocketCloseStatus status, string reason, string text)
    {
        await using var host = await StartAsync(async context =>
        {
            using var socket = await context.WebSockets.AcceptWebSocketAsync("coap");
            await socket.SendAsync(new byte[] { 0x00, 0xE1 }, WebSocketMessageType.Binary, true, default);
            await socket.CloseAsync(status, reason, default);
        });

        var error = await FailAsync<CoapTransportException>($"coap+ws://{AuthorityOf(host)}/", isSync: false);

        error.Message.Should().Contain("the peer closed it with WebSocket close code").And.Contain(text);
    }

    /// <param name="uri">The URI that cannot be reached.</param>
    /// <param name="isSync">Whether to use the blocking call.</param>
    /// <param name="patience">The time limit for each step of connecting, in seconds. Short only if a step must time out.</param>
    private static async Task<T> FailAsync<T>(string uri, bool isSync, double patience = 25)
        where T : Exception
    {
        await using var client = new CoapClient(new() { Tcp = new() { ConnectTimeout = TimeSpan.FromSeconds(patience) } });
        var call = () => (isSync ? Task.Run(() => client.Get(uri)) : client.GetAsync(uri).AsTask()).WaitAsync(TimeSpan.FromMinutes(1));
        return (await call.Should().ThrowAsync<T>()).Which;
    }

    private static async Task<WebApplication> StartAsync(Func<Microsoft.AspNetCore.Http.HttpContext, Task> serve)
    {
        var builder = WebApplication.CreateSlimBuilder();
        var application = builder.Build();
        application.Urls.Add("http://127.0.0.1:0");
        application.UseWebSockets();
        application.MapGet("/.well-known/coap", new Microsoft.AspNetCore.Http.RequestDelegate(serve));
        await application.StartAsync();
        return application;
    }

    private static string AuthorityOf(WebApplication application) => new Uri(application.Urls.First()).Authority;
}
