using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Hostile;

/// <summary>Peers over TLS or a WebSocket that request much and read nothing.</summary>
public sealed class UnreadStreamTests : IDisposable
{
    private static readonly PeerIdentity Attacker = PeerIdentity.From("attacker");

    private readonly Wire _wire = new(new ManualClock());
    private readonly HeldStream _stream = new();
    private readonly StreamLaneEnd _server;

    public UnreadStreamTests()
    {
        var resources = new ResourceMap();
        resources.At("large").Get(
            static request => new CoapResponse(ResponseCode.Content) { Payload = new byte[int.Parse(request.Query("n")!)] },
            HandlerMode.Inline);
        _server = new StreamLaneEnd(_wire, new CoapServerSettings(), resources);
        _server.Accept(new DuplexStreamConnection(_stream, Attacker, _wire.Server, static () => default, place: null));
        _stream.Feed(Hex.Bytes("40 e1 23 020000"));         // CSM, Max-Message-Size 131,072
        _wire.RunUntilIdle(TimeSpan.Zero);
        _stream.Hold();
    }

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(1000)]
    [InlineData(60_000)]
    public void A_response_that_is_not_read_is_charged_and_ends_the_connection_in_time(int size)
    {
        Request(size);
        _wire.RunUntilIdle(TimeSpan.Zero);
        _server.Lane.Ledger.UnsentBytes.Used.Should().BeGreaterThanOrEqualTo(size);

        // Empty messages, so that the connection is not idle.
        for (var i = 0; i < 6; i++)
        {
            _wire.RunFor(TimeSpan.FromSeconds(6));
            if (!_stream.IsDisposed) { _stream.Feed([0, 0]); }
        }

        _stream.IsDisposed.Should().BeTrue("the peer has read nothing for longer than TcpSettings.SendTimeout");
        _server.Lane.Ledger.UnsentBytes.Used.Should().Be(0);
    }

    [Theory]
    [InlineData(1000)]
    [InlineData(60_000)]
    public void Responses_that_are_read_later_arrive_whole(int size)
    {
        var before = _stream.Written.Count;
        for (var i = 0; i < 5; i++) { Request(size); }
        _wire.RunUntilIdle(TimeSpan.Zero);
        _stream.Release();
        _wire.RunUntilIdle(TimeSpan.Zero);

        (_stream.Written.Count - before).Should().BeInRange(5 * size, 5 * (size + 20));
        _server.Lane.Ledger.UnsentBytes.Used.Should().Be(0);
        _stream.IsDisposed.Should().BeFalse();
    }

    // GET large?n=...
    private void Request(int size)
    {
        var query = System.Text.Encoding.ASCII.GetBytes($"n={size}");
        _stream.Feed([0xD0, (byte)(7 + query.Length - 13), 0x01, 0xB5, .. "large"u8, (byte)(0x40 | query.Length), .. query]);
    }
}
