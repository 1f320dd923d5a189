using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Hold-Off together with Alternative-Address (RFC 8323, section 5.5). The servers' bytes are the test's.</summary>
public sealed class Rfc8323Section5_5Tests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/hi";

    private const string Release = """
        80 e4           # Len 8, no token, 7.04
        25 6f74686572   # Alternative-Address "other"
        21 3c           # Hold-Off 60
        """;

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly RawServer _other;
    private readonly CoapClient _client;

    public Rfc8323Section5_5Tests()
    {
        _server = new RawServer(_network);
        _other = new RawServer(_network, "other");
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, Reconnect = new() { AllowsOtherHosts = true } });
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        _server.Dispose();
        _other.Dispose();
    }

    // Client              Server              Other
    //    | GET                |                  |
    //    +------------------->|                  |
    //    | 2.05, Release      |                  |
    //    |<-------------------+  not for 60 s    |
    //    | GET                                   |
    //    +-------------------------------------->|
    //    | 2.05, end of the connection           |
    //    |<--------------------------------------+
    //    | GET                                   |
    //    +-------------------------------------->|  the 60 s are not over
    [Theory, Trait("RFC", "8323 5.5"), InlineData(false), InlineData(true)]
    public async Task The_time_not_to_come_back_goes_on_while_the_client_is_elsewhere(bool isSync)
    {
        await AnswerAsync(_server, isSync, Release);
        await AnswerAsync(_other, isSync, "00 e4");

        await AnswerAsync(_other, isSync, "00 e4");

        _server.Accepted.Should().Be(1);
        _other.Accepted.Should().Be(2);
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task If_the_alternative_has_ended_too_the_client_waits_for_the_hold_off()
    {
        await AnswerAsync(_server, isSync: false, Release);
        await AnswerAsync(_other, isSync: false, "00 e4");
        _other.Dispose();

        var tooEarly = () => _client.GetAsync(Uri).AsTask();
        await tooEarly.Should().ThrowAsync<CoapTransportException>().WithMessage("*Hold-Off*");
        _time.Advance(TimeSpan.FromSeconds(61));

        await AnswerAsync(_server, isSync: false, "00 e4");
        _server.Accepted.Should().Be(2);
    }

    /// <summary>A request comes on a new connection to the server and is answered, then the server releases the connection and the client closes it.</summary>
    private async Task AnswerAsync(RawServer server, bool isSync, string release)
    {
        var pending = isSync ? Task.Run(() => _client.Get(Uri)) : _client.GetAsync(Uri).AsTask();
        using var peer = await server.OpenAsync();
        var request = Convert.FromHexString((await peer.ReadAsync())!);
        var token = request.AsSpan(request[0] >> 4 == 13 ? 3 : 2, 8);
        peer.Send($"38 45 {Hex.Text(token)} ff 6f6b");
        (await pending.WaitAsync(RawPeer.Patience)).PayloadText.Should().Be("ok");
        peer.Send(release);
        while (await peer.ReadAsync() is not null) { }
    }
}
