using System.Net;
using CoAP.Options;

namespace CoAP.Tests.Mesh;

/// <summary>A stage that adds bytes to datagrams limits the messages: of a server and of a client, to peers with a security layer and without one.</summary>
[Trait("Category", "Loopback")]
public sealed class LimitedMessagesTests : IAsyncDisposable
{
    private const int Limit = 1100;

    private static readonly string LongPath = new('p', 110);

    private readonly CoapServer _server;
    private readonly CoapClient _client;
    private int _largestOfServer;
    private int _largestOfClient;

    public LimitedMessagesTests()
    {
        _server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))],
            Links = Limited(Limit, size => _largestOfServer = Math.Max(_largestOfServer, size)),
        });
        _server.Resources.At("{path}").Observable().Get(_ => new CoapResponse(ResponseCode.Content) { Payload = new byte[1130] }).Put(request => Response.Content($"{request.Payload.Length}"));
        _server.Start();
        _client = NewClient(Limit);
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory, InlineData(false), InlineData(true)]
    public async Task Larger_bodies_are_sent_in_blocks(bool isSync)
    {
        var put = new CoapRequest(RequestCode.Put, Uri(LongPath)) { Payload = new byte[1024] };
        var stored = isSync ? _client.Send(put) : await _client.SendAsync(put);
        var read = isSync ? _client.Get(Uri("a")) : await _client.GetAsync(Uri("a"));

        stored.PayloadText.Should().Be("1024");
        (read.Code, read.Payload.Length).Should().Be((ResponseCode.Content, 1130));
        _largestOfClient.Should().BeInRange(500, Limit);
        _largestOfServer.Should().BeInRange(500, Limit);
    }

    [Fact]
    public async Task Notifications_are_sent_in_blocks()
    {
        await foreach (var notification in _client.ObserveAsync(Uri("a")))
        {
            notification.Response.Payload.Length.Should().Be(1130);
            break;
        }

        _largestOfServer.Should().BeInRange(500, Limit);
    }

    // Without an error, the caller would wait for the time of an exchange.
    [Fact]
    public async Task A_request_that_does_not_fit_in_any_form_is_an_error_at_once()
    {
        await using var client = NewClient(limit: 200, tokens: true);
        var request = new CoapRequest(RequestCode.Get, Uri(LongPath)) { Options = [new UriQuery(new string('q', 100))] };
        var sending = () => client.SendAsync(request).AsTask();
        var observing = async () => { await foreach (var _ in client.ObserveAsync(request)) { } };
        var forgetting = () => client.SendStatelessAsync(request, "state"u8.ToArray()).AsTask();
        var multicasting = async () =>
        {
            var group = new CoapRequest(RequestCode.Get, $"coap://224.0.1.187/{LongPath}") { Options = request.Options, IsConfirmable = false };
            await foreach (var _ in client.MulticastAsync(group, new() { HopLimit = 0 })) { }
        };

        (await sending.Should().ThrowAsync<ArgumentException>()).WithMessage("*cannot be sent, not even in blocks; a message has at most 200 bytes*");
        (await observing.Should().ThrowAsync<CoapTransferException>()).WithMessage("*at most 200 bytes fit into a message to *LimitMessages*");
        (await multicasting.Should().ThrowAsync<CoapTransferException>()).WithMessage("*at most 200 bytes fit into a message to 224.0.1.187*");
        (await forgetting.Should().ThrowAsync<CoapException>()).WithMessage("*at most 200 bytes fit into a message to *");
    }

    private static MeshLink[] Limited(int limit, Action<int> sent) =>
    [
        MeshLink.Stages(lane => lane.LimitMessages((_, _) => limit)),
        MeshLink.Filter(MeshArrow.DatagramsOut, frame =>
        {
            sent(frame.Bytes.Length);
            return true;
        }),
    ];

    private CoapClient NewClient(int limit, bool tokens = false) => new(new CoapClientSettings
    {
        Links = Limited(limit, size => _largestOfClient = Math.Max(_largestOfClient, size)),
        StatelessTokens = tokens ? new() : null,
    });

    private string Uri(string path) => $"coap://{_server.Endpoints[0].Address}/{path}";
}
