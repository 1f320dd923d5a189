using CoAP.Options;
using CoAP.Serialization;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>After a good first notification, neither the server nor the store of the client ends the loop of the reader.</summary>
public sealed class ContinuedReadingTests : IAsyncDisposable
{
    private const int SmallLimit = 64;

    private static readonly string SmallCsm = $"20 e1 21 {SmallLimit:x2}";      // Max-Message-Size

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private CoapClient? _client;

    public ContinuedReadingTests() => _server = new RawServer(_network);

    public async ValueTask DisposeAsync()
    {
        if (_client is not null) { await _time.PassAsync(_client.DisposeAsync().AsTask()); }
        _server.Dispose();
    }

    [Fact, Trait("RFC", "8323 5.3.1")]
    public async Task A_server_that_takes_only_small_messages_after_a_while()
    {
        _client = new CoapClient(new() { Network = _network, TimeProvider = _time });
        var request = new CoapRequest(RequestCode.Fetch, $"coap+tcp://{RawServer.Name}/x") { Payload = new byte[2 * SmallLimit] };
        var observation = _client.ObserveAsync(request);
        await using var reading = observation.GetAsyncEnumerator();
        var first = reading.MoveNextAsync().AsTask();
        using (var peer = await _server.OpenAsync())
        {
            peer.Send(NotificationFor((await peer.ReadAsync())!));
            (await first.WaitAsync(RawPeer.Patience)).Should().BeTrue();
        }
        var next = reading.MoveNextAsync().AsTask();

        var other = _client.GetAsync($"coap+tcp://{RawServer.Name}/y").AsTask();
        using (var peer = await _server.OpenAsync(SmallCsm))
        {
            peer.Send(NotificationFor((await peer.ReadAsync())!));
            await other.WaitAsync(RawPeer.Patience);
            await _time.PassAsync(next, TimeSpan.FromMinutes(2));
        }
        var (isOver, error) = (next.IsCompleted, observation.LastError);
        var opening = _server.OpenAsync();
        await _time.PassAsync(Task.WhenAny(opening, next));
        using var last = await opening;
        last.Send(NotificationFor((await last.ReadAsync())!));

        isOver.Should().BeFalse();
        error.Should().BeOfType<ArgumentException>().Which.Message.Should().Contain($"{SmallLimit}");
        (await next.WaitAsync(RawPeer.Patience)).Should().BeTrue();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_store_that_fails(bool isSync)
    {
        _client = new CoapClient(new() { Network = _network, TimeProvider = _time, ClientObservations = new() { Store = new FailingStore() } });
        var uri = $"coap+tcp://{RawServer.Name}/x";
        var (blocking, observation) = (isSync ? _client.Observe(uri) : null, isSync ? null : _client.ObserveAsync(uri));
        var reading = isSync ? Task.Run(() => blocking!.Take(1).Count()) : CountAsync(observation!);

        using var peer = await _server.OpenAsync();
        peer.Send(NotificationFor((await peer.ReadAsync())!));

        (await reading.WaitAsync(RawPeer.Patience)).Should().Be(1);
        (observation ?? blocking!.Observation).LastError.Should().BeOfType<IOException>();
    }

    private static async Task<int> CountAsync(CoapObservation observation)
    {
        await foreach (var notification in observation) { return 1; }
        return 0;
    }

    private static byte[] NotificationFor(string registration) => CoapMessageSerializer.Stream.Serialize(new CoapMessage
    {
        Code = ResponseCode.Content,
        Token = CoapMessageSerializer.Stream.Deserialize(Convert.FromHexString(registration)).Token,
        Options = [new Observe(0)],
    });

    private sealed class FailingStore : ISubscriptionStore
    {
        public void Save(StoredSubscription subscription) => throw new IOException("The disk is full.");

        public void Remove(Token token) => throw new IOException("The disk is full.");

        public IReadOnlyList<StoredSubscription> List() => [];
    }
}
