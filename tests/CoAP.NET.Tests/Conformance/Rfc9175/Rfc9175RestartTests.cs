using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Echo values do not survive the server that has issued them (RFC 9175, section 5 and appendix A).</summary>
public sealed class Rfc9175RestartTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly ScriptedPeer _client;
    private readonly List<string> _lock = [];
    private LaneEnd _server;

    public Rfc9175RestartTests()
    {
        _server = Start();
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    // Client              Server
    //    | PUT                |
    //    +------------------->|
    //    | 4.01 (Echo E)      |
    //    |<-------------------+
    //    |                    |  restarts
    //    | PUT, Echo E        |  at the same time after the start, and within the age that the resource allows
    //    +------------------->|
    //    | 4.01 (Echo F)      |
    //    |<-------------------+
    [Fact, Trait("RFC", "9175 5"), Trait("RFC", "9175 A")]
    public void A_value_of_before_a_restart_is_refused_although_its_time_is_fresh_again()
    {
        _client.ExpectNothing(seconds: 3);
        _client.Send("CON [0x0001] PUT /lock (Token 0x41) 'a'");
        _client.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x41) {Max-Age: 0, Echo: E}");

        _server.Dispose();
        _server = Start();
        _client.ExpectNothing(seconds: 4);
        _client.Send("CON [0x0002] PUT /lock (Token 0x42) {Echo: E} 'a'");
        _client.Expect("ACK [0x0002] 4.01 Unauthorized (Token 0x42) {Max-Age: 0, Echo: F}");
        _lock.Should().BeEmpty();

        _client.Send("CON [0x0003] PUT /lock (Token 0x43) {Echo: F} 'b'");
        _client.Expect("ACK [0x0003] 2.04 Changed (Token 0x43)");
        _lock.Should().Equal("b");
    }

    private LaneEnd Start() => LaneEnd.Server(_wire, Map, new CoapServerSettings { Amplification = new() { ExemptsLoopback = false } });

    private void Map(ResourceMap resources) => resources.At("lock").RequiresFreshness(TimeSpan.FromSeconds(10)).Put(
        request =>
        {
            _lock.Add(request.PayloadText);
            return Response.Changed;
        },
        HandlerMode.Inline);
}
