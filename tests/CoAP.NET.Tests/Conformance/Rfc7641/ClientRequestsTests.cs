using CoAP.Options;

namespace CoAP.Tests.Conformance;

/// <summary>The requests of one observation are alike (RFC 7641, sections 3.3.1 and 3.6).</summary>
public sealed class ClientRequestsTests : ObserverUnderTest
{
    // Client              Server
    //    | GET, Observe 0     |
    //    +------------------->|
    //    | GET, Observe 0     |  after Max-Age, the same options
    //    +------------------->|
    //    | GET, Observe 1     |  the same options
    //    +------------------->|
    [Fact, Trait("RFC", "7641 3.3.1"), Trait("RFC", "7641 3.6")]
    public void Later_registrations_and_the_deregistration_have_the_options_of_the_first_registration()
    {
        var request = new CoapRequest(RequestCode.Get, "/temperature?unit=c")
        {
            Options = [new Accept(50), new UnknownOption(65000, new byte[] { 7 })],
        };
        var observation = Observe(request);

        Server.Expect("CON [X] GET /temperature?unit=c (Token T) {Accept: 50, Observe: 0, 65000: 0x07}", at: 0);
        Server.Send("ACK [X] 2.05 Content (Token T) {Observe: 9, Max-Age: 15} '1'");
        Server.Expect("CON [Y] GET /temperature?unit=c (Token T) {Accept: 50, Observe: 0, 65000: 0x07}", at: 25);
        Server.Send("ACK [Y] 2.05 Content (Token T) {Observe: 10, Max-Age: 15} '1'");
        Server.ExpectNothing(seconds: 1);
        Leave(observation);

        Server.Expect("CON [Z] GET /temperature?unit=c (Token T) {Accept: 50, Observe: 1, 65000: 0x07}");
    }
}
