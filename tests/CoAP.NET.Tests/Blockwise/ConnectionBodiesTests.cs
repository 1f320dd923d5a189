using CoAP.Options;
using CoAP.Serialization;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>Bodies in blocks go with the connection that they came or went over: nobody else can ask for the rest of them.</summary>
public sealed class ConnectionBodiesTests
{
    private const int MostTries = 1000;

    private static readonly CoapMessageSerializer Form = CoapMessageSerializer.Stream;

    [Fact]
    public async Task A_handler_that_reads_a_body_gets_an_error_when_the_connection_ends()
    {
        var told = new TaskCompletionSource<Exception?>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var host = new StreamHost();
        // The token of the handler fires too, and may do so first. ConnectionTokenTests test that.
        host.Server.Resources.At("up").Put(async (request, _) =>
        {
            told.SetResult(await Record.ExceptionAsync(() => request.Body.CopyToAsync(Stream.Null, CancellationToken.None)));
            return Response.Changed;
        }).StreamsBody();
        var peer = await host.OpenAsync();
        (await Put(peer, "up", new byte[1024])).Code.Should().Be(ResponseCode.Continue);

        peer.Dispose();

        (await told.Task.WaitAsync(RawPeer.Patience)).Should().BeOfType<CoapTransferException>();
    }

    [Fact]
    public async Task A_partial_request_body_is_released_when_the_connection_ends()
    {
        await using var host = new StreamHost(settings => OneLane(settings));
        var peer = await host.OpenAsync();
        using var other = await host.OpenAsync();
        (await Put(peer, "size", new byte[4096])).Code.Should().Be(ResponseCode.Continue);
        (await Put(other, "size", new byte[1024])).Code.Should().Be(ResponseCode.ServiceUnavailable, "the bytes are taken");

        peer.Dispose();

        (await Retry(() => Put(other, "size", new byte[1024]))).Code.Should().Be(ResponseCode.Continue);
    }

    // A response to a POST is kept until the client has all of it: the request must not be carried out again.
    [Fact]
    public async Task A_kept_response_body_is_released_when_the_connection_ends()
    {
        await using var host = new StreamHost(settings => OneLane(settings));
        host.Server.Resources.At("made").Post((_, _) => new(new CoapResponse(ResponseCode.Changed) { Payload = new byte[4096] }));
        var peer = await host.OpenAsync();
        using var other = await host.OpenAsync();
        (await Exchange(peer, Post())).Code.Should().Be(ResponseCode.Changed);
        (await Exchange(other, Post())).Code.Should().Be(ResponseCode.InternalServerError, "the bytes are taken");

        peer.Dispose();

        (await Retry(() => Exchange(other, Post()))).Code.Should().Be(ResponseCode.Changed);
    }

    private static CoapServerSettings OneLane(CoapServerSettings settings) =>
        settings with
        {
            Mode = ServerMode.AsyncSingle,
            ServerTransfers = new() { MaxBodySize = 4096, MaxTotalSize = 2 * (4096 + 1536) },
            Ledger = new() { AccountOf = static (_, _) => Account.Of("all") },
        };

    private static CoapMessage Post() => new() { Code = RequestCode.Post, Options = [new UriPath("made"), new Block2(0, false, 6)] };

    private static Task<CoapMessage> Put(RawPeer peer, string path, byte[] part) =>
        Exchange(peer, new CoapMessage { Code = RequestCode.Put, Options = [new UriPath(path), new Block1(0, true, 7)], Payload = part });

    // The server hears of the end in a turn of its own; each try is a round trip through the same lane.
    private static async Task<CoapMessage> Retry(Func<Task<CoapMessage>> exchange)
    {
        var answer = await exchange();
        for (var i = 0; i < MostTries && answer.Code.IsServerError; i++) { answer = await exchange(); }
        return answer;
    }

    private static async Task<CoapMessage> Exchange(RawPeer peer, CoapMessage message)
    {
        await peer.SendAsync(Form.Serialize(message));
        return Form.Deserialize(Hex.Bytes((await peer.ReadAsync())!));
    }
}
