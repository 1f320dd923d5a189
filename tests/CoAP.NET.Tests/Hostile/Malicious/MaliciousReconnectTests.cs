using CoAP.Options;
using CoAP.Serialization;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile.Malicious;

/// <summary>A server that closes the connection whenever the client asks for the rest of its first notification.</summary>
public sealed class MaliciousReconnectTests : IAsyncDisposable
{
    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly CoapClient _client;
    private readonly TaskCompletionSource _firstConnection = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _connections;

    public MaliciousReconnectTests()
    {
        _server = new RawServer(_network);
        _client = new CoapClient(new() { Network = _network, TimeProvider = _time });
    }

    public async ValueTask DisposeAsync()
    {
        await _time.PassAsync(_client.DisposeAsync().AsTask());
        _server.Dispose();
    }

    [Fact]
    public async Task The_observation_ends_with_an_error_although_each_connection_begins_well()
    {
        var reading = ReadAsync();
        var serving = ServeAsync();
        await _firstConnection.Task.WaitAsync(RawPeer.Patience);    // if time passed earlier, the attempt to connect would time out

        await _time.PassAsync(Task.WhenAny(reading, serving), TimeSpan.FromHours(2));
        var error = await Record.ExceptionAsync(() => reading.WaitAsync(RawPeer.Patience));

        error.Should().BeAssignableTo<CoapException>();
        _connections.Should().BeGreaterThan(2);
    }

    private async Task ReadAsync()
    {
        await foreach (var notification in _client.ObserveAsync($"coap+tcp://{RawServer.Name}/x")) { notification.Should().BeNull("no body is ever whole"); }
    }

    private async Task ServeAsync()
    {
        while (true)
        {
            using var peer = await _server.AcceptAsync();
            // The simulated time may outrun the threads, so that the client gives up the connection before it has begun.
            if (await peer.ReadAsync() is null) { continue; }
            peer.Send("00 e1");
            _connections++;
            _firstConnection.TrySetResult();
            if (await peer.ReadAsync() is not { } registration) { continue; }
            peer.Send(FirstBlockFor(registration));
            await peer.ReadAsync();
        }
    }

    private static byte[] FirstBlockFor(string registration) => CoapMessageSerializer.Stream.Serialize(new CoapMessage
    {
        Code = ResponseCode.Content,
        Token = CoapMessageSerializer.Stream.Deserialize(Convert.FromHexString(registration)).Token,
        Options = [new Observe(0), new Block2(0, hasMore: true, sizeExponent: 6)],
        Payload = new byte[1024],
    });
}
