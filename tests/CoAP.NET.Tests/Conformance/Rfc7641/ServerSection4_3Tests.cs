using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A server selects only those stored representations that the registration names (RFC 7641, section 4.3.2).</summary>
public sealed class ServerSection4_3Tests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private byte _state = 1;

    public ServerSection4_3Tests()
    {
        _server = LaneEnd.Server(_wire, resources => _resource = resources.At("t").Observable()
            .WithTag(_ => new ETag(new[] { _state }))
            .Get(_ => Response.Content($"{_state}"), HandlerMode.Inline));
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    // Client              Server
    //    | GET, Obs 0, ETag 2 |
    //    +------------------->|
    //    | 2.05, ETag 1       |
    //    |<-------------------+
    //    | 2.03, ETag 2       |  which the client has named
    //    |<-------------------+
    //    | 2.05, ETag 1       |  which it was sent before, but has not named
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.3.2")]
    public void A_notification_selects_what_the_registration_named_and_not_what_was_notified_before()
    {
        _client.Send("CON [0x0001] GET /t (Token 0x4a) {ETag: 0x02, Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 (Token 0x4a) {ETag: 0x01, Observe: 1, Content-Format: 0} '1'");

        Change(2);
        _client.Expect("CON [X] 2.03 (Token 0x4a) {ETag: 0x02, Observe: 2}");
        _client.Send("ACK [X]");
        Change(1);

        _client.Expect("CON [Y] 2.05 (Token 0x4a) {ETag: 0x01, Observe: 3, Content-Format: 0} '1'");
    }

    private void Change(byte state)
    {
        _state = state;
        _resource.NotifyChanged();
    }
}
