using System.IO.Pipelines;
using System.Net.WebSockets;
using CoAP.Tests.Conformance;

namespace CoAP.Tests.Server;

/// <summary>WebSockets that any host can hand to a server.</summary>
public sealed class ServeWebSocketTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly PeerIdentity Peer = PeerIdentity.From("browser-1");

    private readonly Pipe _toServer = new();
    private readonly Pipe _toClient = new();
    private readonly CoapServer _server = new(new() { Endpoints = [], Stream = new() { CsmTimeout = TimeSpan.FromMinutes(5) } });
    private readonly WebSocket _client;
    private readonly DuplexStream _below;

    public ServeWebSocketTests()
    {
        _below = new DuplexStream(_toServer.Reader.AsStream(), _toClient.Writer.AsStream(), () => _toServer.Writer.Complete());
        _client = WebSocket.CreateFromStream(
            new DuplexStream(_toClient.Reader.AsStream(), _toServer.Writer.AsStream()),
            new WebSocketCreationOptions { SubProtocol = "coap" });
        _server.Resources.At("hi").Get(_ => Response.Content("hi"), HandlerMode.Inline);
    }

    public async ValueTask DisposeAsync()
    {
        _client.Dispose();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Requests_are_answered_until_the_client_closes(bool isStream)
    {
        _server.Start();
        var serving = isStream ? _server.ServeWebSocketAsync(_below, Peer) : _server.ServeWebSocketAsync(Accepted(), Peer);

        await _client.SendAsync(new byte[] { 0x00, 0xE1 }, WebSocketMessageType.Binary, true, default);
        await _client.SendAsync(new byte[] { 0x01, 0x01, 0x7A, 0xB2, (byte)'h', (byte)'i' }, WebSocketMessageType.Binary, true, default);
        var csm = await ReceiveAsync();
        var answer = await ReceiveAsync();
        serving.IsCompleted.Should().BeFalse();
        await _client.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, default);

        await serving.WaitAsync(Patience);
        csm[1].Should().Be(0xE1);
        answer.Should().Equal(0x01, 0x45, 0x7A, 0xC0, 0xFF, (byte)'h', (byte)'i');
    }

    // A user can log in without TLS, and TLS needs no client certificate.
    [Theory, Trait("RFC", "8323 8.4")]
    [InlineData(null, false, CoapScheme.CoapWs), InlineData(null, true, CoapScheme.CoapWs)]
    [InlineData(CoapScheme.CoapWs, true, CoapScheme.CoapWs), InlineData(CoapScheme.CoapsWs, false, CoapScheme.CoapsWs), InlineData(CoapScheme.CoapsWs, true, CoapScheme.CoapsWs)]
    public async Task The_scheme_depends_on_TLS_and_not_on_the_credentials(CoapScheme? scheme, bool hasUser, CoapScheme expected)
    {
        _server.Start();
        var credentials = hasUser ? new PeerCredentials { User = new(new System.Security.Claims.ClaimsIdentity("Basic")) } : null;

        _ = scheme is { } known
            ? _server.ServeWebSocketAsync(_below, known, Peer, default, credentials, default)
            : _server.ServeWebSocketAsync(_below, Peer, credentials: credentials);
        await _client.SendAsync(new byte[] { 0x00, 0xE1 }, WebSocketMessageType.Binary, true, default);
        await ReceiveAsync();

        _server.GetChannels().Single().Scheme.Should().Be(expected);
    }

    [Fact]
    public async Task A_canceled_token_ends_the_connection()
    {
        _server.Start();
        using var canceling = new CancellationTokenSource();
        var serving = _server.ServeWebSocketAsync(Accepted(), Peer, cancellationToken: canceling.Token);
        await ReceiveAsync();

        await canceling.CancelAsync();

        await serving.WaitAsync(Patience);
    }

    [Fact]
    public async Task One_more_than_the_limit_is_closed()
    {
        await using var server = new CoapServer(new() { Endpoints = [], WebSockets = new() { MaxConnections = 1 } });
        server.Start();
        using var first = WebSocket.CreateFromStream(new DuplexStream(new Pipe().Reader.AsStream(), Stream.Null), new() { IsServer = true, SubProtocol = "coap" });
        _ = server.ServeWebSocketAsync(first, PeerIdentity.From("browser-0"));

        await server.ServeWebSocketAsync(Accepted(), Peer).WaitAsync(Patience);

        (await _client.ReceiveAsync(new ArraySegment<byte>(new byte[64]), default)).CloseStatus.Should().Be(WebSocketCloseStatus.PolicyViolation);
    }

    [Fact]
    public async Task Only_an_open_WebSocket_of_CoAP_is_served()
    {
        await Serve(Accepted(), Peer).Should().ThrowAsync<InvalidOperationException>().WithMessage("*not started*");
        _server.Start();
        var closed = Accepted();
        closed.Abort();

        await Serve(null!, Peer).Should().ThrowAsync<ArgumentNullException>();
        await Serve(closed, Peer).Should().ThrowAsync<ArgumentException>().WithMessage("*not open*");
        await Serve(Accepted("chat"), Peer).Should().ThrowAsync<ArgumentException>().WithMessage("*'chat'*'coap'*");
        await Serve(Accepted(), default).Should().ThrowAsync<ArgumentException>().WithMessage("*no peer*");
        await FluentActions.Awaiting(() => _server.ServeWebSocketAsync((Stream)null!, Peer)).Should().ThrowAsync<ArgumentNullException>();
        await FluentActions.Awaiting(() => _server.ServeWebSocketAsync(_below, default)).Should().ThrowAsync<ArgumentException>();
    }

    private Func<Task> Serve(WebSocket socket, PeerIdentity peer) => () => _server.ServeWebSocketAsync(socket, peer);

    private WebSocket Accepted(string? subprotocol = "coap") =>
        WebSocket.CreateFromStream(_below, new WebSocketCreationOptions { IsServer = true, SubProtocol = subprotocol });

    private async Task<byte[]> ReceiveAsync()
    {
        var buffer = new byte[64];
        var received = await _client.ReceiveAsync(new ArraySegment<byte>(buffer), default).WaitAsync(Patience);
        return buffer[..received.Count];
    }
}
