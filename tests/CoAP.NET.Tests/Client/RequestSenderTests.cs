using System.Text;

namespace CoAP.Tests.Client;

/// <summary>The extension methods of a client work on a channel too, and on senders of the user's own.</summary>
public sealed class RequestSenderTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_handler_asks_its_client_back_over_the_channel_of_the_request(string scheme)
    {
        var network = new InMemoryNetwork();
        await using var server = new CoapServer(new() { Network = network, Endpoints = [ServerEndpoint.InMemory("server")] });
        server.Resources.At("back").Post(AskBackAsync);
        server.Start();
        await using var client = new CoapClient(new() { Network = network });
        client.Resources.At("state").Observable().Get((_, _) => new(Response.Content("fine")), HandlerMode.Inline);

        var answer = await client.PostAsync($"{scheme}://server/back", default).AsTask().WaitAsync(Patience);

        answer.PayloadText.Should().Be("get fine, download fine, observe fine");
    }

    [Fact, Trait("RFC", "8132 2.3.1")]
    public void Each_method_sends_its_request()
    {
        var sender = new RecordingSender();
        var body = "x"u8.ToArray();

        sender.Get("/a");
        sender.Post("/b", body);
        sender.Put("/c", body, ContentFormats.Cbor);
        sender.Delete("/d");
        sender.Fetch("/e", body, ContentFormats.Cbor);
        sender.Patch("/f", body);
        sender.IPatch("/g", body);

        sender.Requests.Select(request => $"{request.Method} {request.Uri} {request.Payload.Length} {request.Options.Count}").Should().Equal(
            "0.01 /a 0 0", "0.02 /b 1 0", "0.03 /c 1 1", "0.04 /d 0 0", "0.05 /e 1 1", "0.06 /f 1 0", "0.07 /g 1 0");
    }

    [Fact, Trait("RFC", "8132 2.3.1")]
    public async Task Each_method_sends_its_request_without_holding_a_thread()
    {
        var sender = new RecordingSender();
        var body = "x"u8.ToArray();

        await sender.GetAsync("/a");
        await sender.PostAsync("/b", body);
        await sender.PutAsync("/c", body, ContentFormats.Cbor);
        await sender.DeleteAsync("/d");
        await sender.FetchAsync("/e", body, ContentFormats.Cbor);
        await sender.PatchAsync("/f", body);
        await sender.IPatchAsync("/g", body);

        sender.Requests.Select(request => $"{request.Method} {request.Uri} {request.Payload.Length} {request.Options.Count}").Should().Equal(
            "0.01 /a 0 0", "0.02 /b 1 0", "0.03 /c 1 1", "0.04 /d 0 0", "0.05 /e 1 1", "0.06 /f 1 0", "0.07 /g 1 0");
    }

    [Fact]
    public async Task A_sender_of_the_users_that_serves_only_calls_says_so_when_it_has_to_observe()
    {
        var sender = new RecordingSender();
        var observation = sender.ObserveAsync("/a");

        var reading = () => observation.GetAsyncEnumerator().MoveNextAsync().AsTask();

        await reading.Should().ThrowAsync<NotSupportedException>().WithMessage("RecordingSender serves only requests that ask for one answer*");
        (observation.State, observation.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.Failed));
    }

    private static async ValueTask<CoapResponse> AskBackAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        var channel = request.Channel;
        var got = await channel.GetAsync("/state", cancellationToken);
        using var body = new MemoryStream();
        await channel.DownloadAsync("/state", body, cancellationToken: cancellationToken);
        await foreach (var notification in channel.ObserveAsync("/state", cancellationToken))
        {
            return Response.Content(
                $"get {got.PayloadText}, download {Encoding.UTF8.GetString(body.ToArray())}, observe {notification.Response.PayloadText}");
        }
        return Response.Content("nothing observed");
    }

    private sealed class RecordingSender : IRequestSender
    {
        private static readonly CoapResponse Done = new(ResponseCode.Changed);

        public List<CoapRequest> Requests { get; } = [];

        public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
        {
            Requests.Add(request);
            return Done;
        }

        public ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(Send(request, cancellationToken));

        public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default) => new(false, null);

        public ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default) => new(new Delivery(false, null));
    }
}
