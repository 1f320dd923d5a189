namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>Members of a group and requests with Q-Block2 (RFC 9177, section 4.8).</summary>
public sealed class RobustMulticastTests : GroupUnderTest
{
    [Fact]
    [Trait("RFC", "9177 4.8"), Trait("RFC", "10020 3.8")]
    public void Requests_to_a_group_that_have_Q_Block2_are_ignored()
    {
        Join("a", AtOnce);

        Client.Send("NON [0x01] GET /temperature (Token 0x71) {31: 0x08}");
        Client.ExpectNothing(seconds: 10);
        Client.Send("NON [0x02] GET /temperature (Token 0x72)");
        Client.Expect("NON [a] 2.05 Content (Token 0x72) '22.3 C at a'");

        Calls.Should().Be(1);
    }
}
