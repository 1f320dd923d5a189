namespace CoAP.Tests.Conformance;

/// <summary>Request-Tag in requests that have no block option (RFC 9175, section 3.4).</summary>
public sealed class Rfc9175Section3_4Tests : BlockServerUnderTest
{
    [Fact, Trait("RFC", "9175 3.4")]
    public void A_Request_Tag_without_blocks_is_ignored_and_does_not_affect_a_body_with_the_same_tag()
    {
        Client.Send($"CON [0x0001] PUT /options {{Block1: 0/1/128, Request-Tag: 0x01}} '{Part(200, 0, 128)}'");
        Client.Expect("ACK [0x0001] 2.31 Continue {Block1: 0/1/128}");
        Client.Send("CON [0x0002] PUT /options {Request-Tag: 0x01} 'whole'");
        Client.Expect("ACK [0x0002] 2.04 Changed");
        Client.Send($"CON [0x0003] PUT /options {{Block1: 1/0/128, Request-Tag: 0x01}} '{Part(200, 1, 128)}'");

        Client.Expect("ACK [0x0003] 2.04 Changed {Block1: 1/0/128}");
        Bodies.Should().Equal("whole", Text(200));
    }
}
