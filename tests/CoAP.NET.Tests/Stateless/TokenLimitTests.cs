using CoAP.Tests.Conformance;

namespace CoAP.Tests.Stateless;

/// <summary>What a server does with long tokens in datagrams (RFC 8974, section 2.2.2).</summary>
public sealed class TokenLimitTests : ServerUnderTest
{
    private static string Token(int length) => "0x" + string.Concat(Enumerable.Range(0, length).Select(index => ((byte)(index * 7 + 1)).ToString("x2", null)));

    [Theory, Trait("RFC", "8974 2.2.2")]
    [InlineData(8), InlineData(9), InlineData(13), InlineData(256)]
    public void A_token_within_the_limit_comes_back(int length)
    {
        Client.Send($"CON [0x0001] GET /temperature (Token {Token(length)})");

        Client.Expect($"ACK [0x0001] 2.05 Content (Token {Token(length)}) '22.5 C'");
    }

    [Theory, Trait("RFC", "8974 2.2.2")]
    [InlineData(257), InlineData(1000), InlineData(1089), InlineData(1146)]
    public void A_longer_one_is_no_format_error_but_a_bad_request(int length)
    {
        Client.Send($"CON [0x0001] GET /counter (Token {Token(length)})");

        Client.Expect($"ACK [0x0001] 4.00 Bad Request (Token {Token(length)}){(length < 1082 ? " '*'" : "")}");
        Count.Should().Be(0);
        Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "8974 2.2.2")]
    public void A_non_confirmable_request_with_a_long_token_gets_4_00()
    {
        Client.Send($"NON [0x0001] GET /counter (Token {Token(300)})");

        Client.Expect($"NON [Y] 4.00 Bad Request (Token {Token(300)}) '*'");
    }

    [Theory]
    [InlineData("CON", 1147), InlineData("CON", 1200), InlineData("NON", 1200)]
    public void A_token_that_no_response_could_carry_is_rejected_each_time(string type, int length)
    {
        for (var i = 0; i < 2; i++)
        {
            Client.Send($"{type} [0x0001] GET /counter (Token {Token(length)})");

            if (i == 0 || type == "CON") { Client.Expect("RST [0x0001]"); }
        }
        Client.ExpectNothing(seconds: 1);
        Count.Should().Be(0);
    }

    [Theory]
    [InlineData(7), InlineData(65_805)]
    public void The_limit_has_limits(int length)
    {
        FluentActions.Invoking(() => new CoapServerSettings { MaxTokenLength = length }).Should().Throw<ArgumentOutOfRangeException>();
    }
}
