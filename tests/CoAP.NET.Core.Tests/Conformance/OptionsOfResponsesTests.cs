using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Conformance;

/// <summary>What section 5.9 does not define for responses counts there as unrecognized (RFC 7252, section 5.4).</summary>
public class OptionsOfResponsesTests
{
    [Theory, Trait("RFC", "7252 5.4")]
    [InlineData("11 01", 1, "If-Match")]
    [InlineData("31 61", 3, "Uri-Host")]
    [InlineData("50", 5, "If-None-Match")]
    [InlineData("71 01", 7, "Uri-Port")]
    [InlineData("b1 61", 11, "Uri-Path")]
    [InlineData("d1 02 61", 15, "Uri-Query")]
    [InlineData("d1 04 32", 17, "Accept")]
    [InlineData("d1 16 61", 35, "Proxy-Uri")]
    [InlineData("d1 1a 61", 39, "Proxy-Scheme")]
    public void A_critical_option_of_requests_is_not_recognized_in_a_response(string options, int number, string name)
    {
        Find("45", options).Should().Be(number, name);
        Find("84", options).Should().Be(number, name);
        Find("01", options).Should().Be(-1, name);
    }

    [Theory, Trait("RFC", "7252 5.4")]
    [InlineData("81 61", "Location-Path")]
    [InlineData("c1 32", "Content-Format")]
    [InlineData("d1 0a 08", "Block2")]
    [InlineData("d1 0e 08", "Block1")]
    [InlineData("60", "Observe")]
    public void Options_that_responses_may_have_are_recognized(string options, string name)
    {
        Find("45", options).Should().Be(-1, name);
    }

    private static int Find(string code, string options)
    {
        var message = CoapMessageSerializer.Datagram.Deserialize(Hex.Bytes($"40 {code} 0000 {options}"));
        OptionCheck.FindUnrecognizedCritical(message.Options, OptionRegistry.Default, message.Code, out var number);
        return number;
    }
}
