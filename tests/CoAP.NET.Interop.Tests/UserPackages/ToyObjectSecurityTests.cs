using System.Collections.Concurrent;
using System.Text;
using CoAP.Options;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>A layer that protects single messages can be written with nothing but the public surface.</summary>
public sealed class ToyObjectSecurityTests : IAsyncDisposable
{
    private readonly InMemoryNetwork _network = new();
    private readonly ConcurrentQueue<string> _wire = new();
    private readonly CoapServer _server;

    public ToyObjectSecurityTests()
    {
        _server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [ServerEndpoint.InMemory("server")],
            Network = _network,
            Links = [ToyObjectSecurity.Server(), MeshLink.Filter<Frame>(MeshArrow.FramesIn, Note), MeshLink.Filter<Frame>(MeshArrow.FramesOut, Note)],
        });
        _server.Resources.At("secret").Get((request, _) => new(Response.Content($"for {NameOf(request)}")));
        _server.Resources.At("secret").Put((request, _) => new(Response.Content($"{NameOf(request)} wrote {request.PayloadText}")));
        _server.Resources.At("slow").Get(async (request, _) =>
        {
            request.Acknowledge();
            await Task.Yield();
            return Response.Content($"late for {NameOf(request)}");
        });
        _server.Start();
    }

    public async ValueTask DisposeAsync() => await _server.DisposeAsync();

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task A_package_can_decrypt_requests_encrypt_responses_and_name_the_sender(string scheme)
    {
        await using var client = Client(ToyObjectSecurity.Client("sensor-7"));

        var content = await client.GetAsync($"{scheme}://server/secret");
        var written = await client.PutAsync($"{scheme}://server/secret", Encoding.UTF8.GetBytes("hidden"));
        var late = await client.GetAsync($"{scheme}://server/slow");

        content.PayloadText.Should().Be("for sensor-7");
        written.PayloadText.Should().Be("sensor-7 wrote hidden");
        late.PayloadText.Should().Be("late for sensor-7");
        _wire.Should().NotBeEmpty().And.NotContain(bytes => bytes.Contains("secret") || bytes.Contains("hidden") || bytes.Contains("for "));
    }

    [Theory]
    [InlineData("coap")]
    [InlineData("coap+tcp")]
    public async Task A_plain_request_gets_a_plain_response(string scheme)
    {
        await using var client = Client();

        var content = await client.GetAsync($"{scheme}://server/secret");

        content.PayloadText.Should().Be("for nobody");
        _wire.Should().Contain(bytes => bytes.Contains("for nobody"));
    }

    [Fact]
    public async Task A_message_that_does_not_decrypt_is_dropped_each_time()
    {
        await using var client = Client();
        var forged = new CoapRequest(RequestCode.Post, "coap://server/secret")
        {
            IsConfirmable = false,
            Options = [new Oscore(default)],
            Payload = new byte[] { 1 },
            ResponseTimeout = TimeSpan.FromMilliseconds(200),
        };

        await client.Invoking(one => one.SendAsync(forged).AsTask()).Should().ThrowAsync<CoapTimeoutException>();
        var after = await client.GetAsync("coap://server/secret");

        after.PayloadText.Should().Be("for nobody");
    }

    private static string NameOf(IncomingRequest request) => request.Credentials?.PreSharedKeyIdentity ?? "nobody";

    private CoapClient Client(params MeshLink[] links) => new(new CoapClientSettings { Network = _network, Links = links });

    private bool Note(Frame frame)
    {
        _wire.Enqueue(Encoding.Latin1.GetString(frame.Bytes.Span));
        return true;
    }
}
