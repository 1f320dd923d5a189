namespace CoAP.Tests.Streams;

/// <summary>What a client does after a Release with a wish (RFC 8323, section 5.5). The server's bytes are the test's.</summary>
public sealed class StreamDepartureTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://raw-server/hi";
    private const string ReleaseToOther = "60 e4 25 6f74686572";            // Alternative-Address "other"
    private const string ReleaseForAMinute = "20 e4 41 3c";                 // Hold-Off 60
    private const string ReleaseWithBoth = "80 e4 25 6f74686572 21 3c";

    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network = new();
    private readonly RawServer _server;
    private readonly RawServer _other;
    private readonly CoapClient _client;

    public StreamDepartureTests()
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

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task The_next_request_goes_to_the_alternative_address_and_names_the_same_host()
    {
        await ReleasedAsync(ReleaseToOther);

        var next = _client.GetAsync(Uri).AsTask();
        using var peer = await _other.OpenAsync();
        var request = await peer.ReadAsync();
        peer.Send(Answer(request!));

        (await next.WaitAsync(RawPeer.Patience)).PayloadText.Should().Be("ok");
        request.Should().Contain(Convert.ToHexStringLower("raw-server"u8), "Uri-Host stays");
        _server.Accepted.Should().Be(1);
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task If_the_alternative_does_not_answer_the_original_server_is_used_again()
    {
        _other.Dispose();
        await ReleasedAsync(ReleaseToOther);

        var next = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        peer.Send(Answer((await peer.ReadAsync())!));

        (await next.WaitAsync(RawPeer.Patience)).PayloadText.Should().Be("ok");
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task No_reconnect_happens_before_the_hold_off_ends()
    {
        await ReleasedAsync(ReleaseForAMinute);

        var tooEarly = () => _client.GetAsync(Uri).AsTask();
        await tooEarly.Should().ThrowAsync<CoapTransportException>().WithMessage("*Hold-Off*");
        _time.Advance(TimeSpan.FromSeconds(59));
        await tooEarly.Should().ThrowAsync<CoapTransportException>().WithMessage("*1 s*");
        _time.Advance(TimeSpan.FromSeconds(2));
        var next = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        peer.Send(Answer((await peer.ReadAsync())!));

        (await next.WaitAsync(RawPeer.Patience)).IsSuccess.Should().BeTrue();
    }

    [Fact, Trait("RFC", "8323 5.5")]
    public async Task The_hold_off_holds_where_the_alternative_does_not_answer()
    {
        _other.Dispose();
        await ReleasedAsync(ReleaseWithBoth);

        var tooEarly = () => _client.GetAsync(Uri).AsTask();

        await tooEarly.Should().ThrowAsync<CoapTransportException>().WithMessage("*Hold-Off*");
    }

    [Fact]
    public async Task Another_server_is_reached_meanwhile()
    {
        await ReleasedAsync(ReleaseForAMinute);

        var other = _client.GetAsync("coap+tcp://other/hi").AsTask();
        using var peer = await _other.OpenAsync();
        peer.Send(Answer((await peer.ReadAsync())!));

        (await other.WaitAsync(RawPeer.Patience)).IsSuccess.Should().BeTrue();
    }

    /// <summary>A first request is answered, then the server releases the connection with a wish and the client closes it.</summary>
    private async Task ReleasedAsync(string release)
    {
        var first = _client.GetAsync(Uri).AsTask();
        using var peer = await _server.OpenAsync();
        peer.Send(Answer((await peer.ReadAsync())!));
        await first.WaitAsync(RawPeer.Patience);
        peer.Send(release);
        while (await peer.ReadAsync() is not null) { }
    }

    // The token of the request is its eight bytes behind length and code; 2.05 with the payload "ok".
    private static string Answer(string request)
    {
        var bytes = Convert.FromHexString(request);
        var tokenAt = bytes[0] >> 4 == 13 ? 3 : 2;
        return $"38 45 {Convert.ToHexStringLower(bytes.AsSpan(tokenAt, 8))} ff 6f6b";
    }
}
