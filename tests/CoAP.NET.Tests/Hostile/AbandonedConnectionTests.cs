using CoAP.Tests.Streams;

namespace CoAP.Tests.Hostile;

/// <summary>Connections that begin bodies and close, so that others find no room.</summary>
public sealed class AbandonedConnectionTests : IAsyncDisposable
{
    // Room for two bodies of a block: each counts a kibibyte more.
    private readonly StreamHost _host = new(settings => settings with { ServerTransfers = new() { MaxTotalSize = 10 << 10, StreamWindow = 2 << 10 } });
    private readonly TaskCompletionSource<string> _reader = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public AbandonedConnectionTests()
    {
        _host.Server.Resources.At("up").Put(ReadAsync).StreamsBody();
        _host.Server.Resources.At("text").Post(_ => new CoapResponse(ResponseCode.Changed) { Payload = new byte[2000] });
    }

    public ValueTask DisposeAsync() => _host.DisposeAsync();

    [Fact]
    public async Task Bodies_of_requests_go_with_their_connection()
    {
        for (var turn = 0; turn < 20; turn++)
        {
            using var peer = await _host.OpenAsync();
            peer.Send(Put("b4 73 69 7a 65"));
            (await peer.ReadAsync())![..8].Should().NotContain("a3", "there is room").And.Contain("5f", "2.31 is 5f");
        }
    }

    [Fact]
    public async Task The_reader_of_a_body_fails_when_its_connection_ends()
    {
        using (var peer = await _host.OpenAsync())
        {
            peer.Send(Put("b2 75 70"));
            (await peer.ReadAsync()).Should().Contain("5f");
        }

        (await _reader.Task.WaitAsync(RawPeer.Patience)).Should().Contain("connection");
    }

    // POST text, Block2 0/0/512
    [Fact]
    public async Task Bodies_of_responses_go_with_their_connection()
    {
        for (var turn = 0; turn < 20; turn++)
        {
            using var peer = await _host.OpenAsync();
            peer.Send("70 02 b4 74 65 78 74 c1 05");
            (await peer.ReadAsync())![..10].Should().Contain("44", "2.04 is 44");
        }
    }

    private static string Put(string path) => $"e0 {Length(path):x4} 03 {path} d1 03 0d ff {string.Concat(Enumerable.Repeat("78", 512))}";

    private static int Length(string path) => path.Split(' ').Length + 3 + 1 + 512 - 269;

    private async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        // The token fires as well, at about the same time. The read would then fail with either error.
        try { await request.Body.CopyToAsync(Stream.Null, CancellationToken.None); }
        catch (CoapTransferException exception)
        {
            _reader.TrySetResult(exception.Message);
            throw;
        }
        return Response.Changed;
    }
}
