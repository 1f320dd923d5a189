using System.Net;

namespace CoAP.Interop.Tests.UserPackages;

/// <summary>A stage that answers requests itself can be written with nothing but the public surface. Runs alone, because it reads the meter of the process.</summary>
[Collection("Interop"), Trait("Category", "Loopback")]
public sealed class ToyAuthorizerTests : IAsyncDisposable
{
    // More than a connection may have in progress.
    private const int Many = 1_100;

    private readonly LibraryMeter _meter = new();
    private readonly CoapClient _client = new();
    private CoapServer _server = null!;
    private int _handled;

    public static TheoryData<string, MeshArrow<IncomingRequest>> Places => new()
    {
        { "coap", MeshArrow.UnderstoodRequests }, { "coap", MeshArrow.Requests },
        { "coap+tcp", MeshArrow.UnderstoodRequests }, { "coap+tcp", MeshArrow.Requests },
    };

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
        _meter.Dispose();
    }

    [Theory, MemberData(nameof(Places))]
    public async Task A_package_can_refuse_requests_with_answers_of_its_own(string scheme, MeshArrow<IncomingRequest> arrow)
    {
        var door = Serve(scheme, arrow);

        var without = await _client.GetAsync($"{door}/door");
        var wrong = await _client.GetAsync($"{door}/door?key=guess");
        var right = await _client.GetAsync($"{door}/door?key=sesame");

        without.Code.Should().Be(ResponseCode.Unauthorized);
        without.PayloadText.Should().Be("A key is required.");
        wrong.Code.Should().Be(ResponseCode.Forbidden);
        right.PayloadText.Should().Be("open");
        _handled.Should().Be(1);
    }

    [Theory, MemberData(nameof(Places))]
    public async Task A_body_in_blocks_is_refused(string scheme, MeshArrow<IncomingRequest> arrow)
    {
        var door = Serve(scheme, arrow);

        var refused = await _client.PutAsync($"{door}/door", new byte[10_000]);
        var streamed = await _client.PutAsync($"{door}/chute", new byte[10_000]);
        var taken = await _client.PutAsync($"{door}/door?key=sesame", new byte[10_000]);

        refused.Code.Should().Be(ResponseCode.Unauthorized);
        streamed.Code.Should().Be(ResponseCode.Unauthorized);
        taken.Code.Should().Be(ResponseCode.Changed);
        _handled.Should().Be(1);
    }

    [Theory, MemberData(nameof(Places))]
    public async Task Each_refused_request_has_ended(string scheme, MeshArrow<IncomingRequest> arrow)
    {
        var door = Serve(scheme, arrow);
        var before = _meter.Read("coap.request.ended", "Refused");

        for (var i = 0; i < Many; i++) { (await _client.GetAsync($"{door}/door")).Code.Should().Be(ResponseCode.Unauthorized); }
        await _client.DisposeAsync();

        _meter.Read("coap.request.active").Should().Be(0);
        (_meter.Read("coap.request.ended", "Refused") - before).Should().Be(Many);
    }

    private string Serve(string scheme, MeshArrow<IncomingRequest> arrow)
    {
        var any = new IPEndPoint(IPAddress.Loopback, 0);
        _server = new CoapServer(new CoapServerSettings
        {
            Endpoints = [scheme == "coap" ? ServerEndpoint.Udp(any) : ServerEndpoint.Tcp(any)],
            Links = [ToyAuthorizer.At(arrow, "sesame")],
        });
        _server.Resources.At("door").Get(_ => Handled(Response.Content("open")), HandlerMode.Inline).Put(_ => Handled(Response.Changed), HandlerMode.Inline);
        _server.Resources.At("chute").StreamsBody().Put(_ => Handled(Response.Changed), HandlerMode.Inline);
        _server.Start();
        return $"{scheme}://127.0.0.1:{_server.Endpoints[0].Address.Port}";
    }

    private CoapResponse Handled(CoapResponse response)
    {
        Interlocked.Increment(ref _handled);
        return response;
    }
}
