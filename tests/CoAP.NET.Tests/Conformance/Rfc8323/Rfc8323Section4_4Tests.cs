using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Over a WebSocket the library asks whether the peer is there by CoAP's Ping, not by that of the WebSocket (RFC 8323, section 4.4).</summary>
public sealed class Rfc8323Section4_4Tests : IAsyncDisposable
{
    private const byte Binary = 0x82;           // FIN, binary; a Ping would be 89, a Pong 8a (RFC 6455, section 5.2)
    private const byte Close = 0x88;

    private static readonly TimeSpan Silence = TimeSpan.FromMinutes(1);

    private readonly ManualClock _time = new();
    private readonly CoapServer _server;

    public Rfc8323Section4_4Tests()
    {
        _server = new(new() { Endpoints = [], TimeProvider = _time, Stream = new() { PingInterval = Silence } });
        _server.Start();
    }

    public async ValueTask DisposeAsync() => await _time.PassAsync(_server.DisposeAsync().AsTask());

    // Client                     Server
    //    | Binary: CSM               |
    //    |<------------------------->|
    //    |        (silence)          |
    //    | Binary: Ping              |  "WebSocket Ping and unsolicited Pong frames SHOULD NOT be used"
    //    |<--------------------------+
    //    | Binary: Pong              |
    //    +-------------------------->|
    //    |        (silence)          |
    //    | Binary: Ping              |
    //    |<--------------------------+
    //    |    (no answer) Close      |
    //    |<--------------------------+
    [Fact, Trait("RFC", "8323 4.4"), Trait("RFC", "8323 5.4")]
    public async Task A_silent_peer_gets_Pings_of_CoAP_and_never_a_frame_that_is_not_binary_before_the_close()
    {
        using var client = new RawWebSocket(_server);
        client.Send("00 e1");
        var csm = await client.ReadAsync();
        await WaitUntilReadAsync(client);

        _time.Advance(Silence);
        var first = await client.ReadAsync();
        client.Send("02 e3" + first.Payload[4..]);
        await WaitUntilReadAsync(client);
        _time.Advance(Silence);
        var second = await client.ReadAsync();
        _time.Advance(Silence);
        var close = await client.ReadAsync();

        new[] { csm, first, second }.Should().OnlyContain(frame => frame.Opcode == Binary);
        first.Payload.Should().StartWith("02e2").And.HaveLength(8);
        second.Payload.Should().StartWith("02e2").And.NotBe(first.Payload);
        close.Opcode.Should().Be(Close);
    }

    // The server has read everything before the Ping that it answers. Time must not run ahead of it.
    private static async Task WaitUntilReadAsync(RawWebSocket client)
    {
        client.Send("01 e2 42");
        (await client.ReadAsync()).Payload.Should().Be("01e342");
    }
}
