using CoAP.Options;

namespace CoAP.Tests.Conformance;

/// <summary>What notifications may say (RFC 7641, sections 4.2 and 4.3.2).</summary>
public sealed class ServerSection4_2Tests : ObservedServer
{
    private static readonly ETag Known = new(new byte[] { 0x0e });

    // Client              Server
    //    | GET, Obs 0, ETag 0e|
    //    +------------------->|
    //    | 2.03, ETag 0e      |  which has no Content-Format
    //    |<-------------------+
    //    | 2.05, ct 0         |
    //    |<-------------------+
    //    | 2.03, ETag 0e      |
    //    |<-------------------+
    [Fact, Trait("RFC", "7641 4.2"), Trait("RFC", "7641 4.3.2")]
    public void After_2_03_the_first_content_says_the_format()
    {
        State = Response.Valid(Known);
        Client.Send("CON [0x1633] GET /temperature (Token 0x4a) {ETag: 0x0e, Observe: 0}");
        Client.Expect("ACK [0x1633] 2.03 Valid (Token 0x4a) {ETag: 0x0e, Observe: 1}");

        Notify(Celsius("20", new ContentFormat(0)));
        Client.Expect("CON [X] 2.05 Content (Token 0x4a) {Observe: 2, Content-Format: 0, Max-Age: 15} '20'");
        Client.Send("ACK [X]");
        Notify(Response.Valid(Known));
        Client.Expect("CON [Y] 2.03 Valid (Token 0x4a) {ETag: 0x0e, Observe: 3}");
        Client.Send("ACK [Y]");
        Notify(Celsius("{}", new ContentFormat(50)));

        Client.Expect("CON [Z] 4.06 (Token 0x4a)");
        Client.Send("ACK [Z]");
        Temperature.ObserverCount.Should().Be(0);
    }

    private void Notify(CoapResponse state)
    {
        State = state;
        Temperature.NotifyChanged();
    }
}
