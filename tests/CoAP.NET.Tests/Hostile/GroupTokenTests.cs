using CoAP.Tests.Conformance;

namespace CoAP.Tests.Hostile;

/// <summary>One datagram to a group, in answer to which all members would speak at once to whoever is said to have sent it.</summary>
public sealed class GroupTokenTests : GroupUnderTest
{
    [Theory, Trait("RFC", "7252 8.1")]
    [InlineData(300), InlineData(1100)]
    public void A_token_that_is_too_long_is_not_answered_to_a_group(int length)
    {
        Join("a", AtOnce);
        Join("b", AtOnce);

        Client.Send($"NON [0x0001] GET /temperature (Token 0x{new string('4', 2 * length)})");

        Client.ExpectNothing(seconds: 60);
    }
}
