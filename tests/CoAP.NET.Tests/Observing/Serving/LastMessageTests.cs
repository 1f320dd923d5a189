using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>The last message of an observation fits into what an unverified address may get (RFC 9175, section 2.4, item 3).</summary>
public sealed class LastMessageTests : IDisposable
{
    private const int Changes = 10;
    private const int Unauthorized = 0x81;

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _state = null!;
    private CoapResponse _response = Response.Content("a");

    public LastMessageTests()
    {
        _server = LaneEnd.Server(
            _wire,
            map => _state = map.At("state").Observable().Get(_ => _response, HandlerMode.Inline),
            new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    // A challenge with a token of 200 bytes has 221 bytes: header 4, length of the token 1, token 200, Max-Age 2, Echo 14.
    [Theory, Trait("RFC", "8974 2.1"), Trait("RFC", "7641 4.2")]
    [InlineData(1), InlineData(8), InlineData(9), InlineData(13), InlineData(30), InlineData(100), InlineData(200), InlineData(256)]
    public void An_observation_with_a_long_token_does_not_end_silently(int tokenLength) => ObserveUntilTheEnd(tokenLength);

    [Theory, Trait("RFC", "7641 4.2")]
    [InlineData(70), InlineData(80), InlineData(90), InlineData(100), InlineData(110), InlineData(120), InlineData(126)]
    public void An_observation_of_a_state_that_almost_uses_up_the_allowance_does_not_end_silently(int length)
    {
        _response = Response.Content(new string('x', length));

        ObserveUntilTheEnd(tokenLength: 8);
    }

    // Client              Server
    //    | CON [X] 4.04       |  the text does not fit
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.2")]
    public void An_error_that_does_not_fit_is_sent_without_its_text()
    {
        _client.Send("CON [0x0001] GET /state (Token 0x01) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x01) {Observe: 1, Content-Format: 0} 'a'");

        _response = Response.Error(ResponseCode.NotFound, new string('x', 200));
        _state.NotifyChanged();

        _client.Expect("CON [X] 4.04 Not Found (Token 0x01)");
        _state.ObserverCount.Should().Be(0);
    }

    private void ObserveUntilTheEnd(int tokenLength)
    {
        _client.Send($"CON [0x0001] GET /state (Token 0x{new string('1', 2 * tokenLength)}) {{Observe: 0}}");
        var last = Take();
        for (var change = 0; change < Changes && _state.ObserverCount > 0; change++)
        {
            _state.NotifyChanged();
            last = Take();
            if (last.Type == 0) { _client.Send($"ACK [0x{last.Id:x4}]"); }
        }

        if (_state.ObserverCount == 0) { last.Code.Should().Be(Unauthorized, "the client repeats its request with the Echo option"); }
    }

    private WireMessage Take()
    {
        var before = _client.Received.Count;
        _client.TakeAll(seconds: 0);
        _client.Received.Should().HaveCount(before + 1);
        return WireMessage.Read(_client.Received[^1]);
    }
}
