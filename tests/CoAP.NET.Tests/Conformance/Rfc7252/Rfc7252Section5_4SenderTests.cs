using CoAP.Options;

namespace CoAP.Tests.Conformance;

/// <summary>Messages that nobody may send are refused when they are made (RFC 7252, sections 4.3, 5.4 and 5.10.6.1).</summary>
public sealed class Rfc7252Section5_4SenderTests
{
    public static TheoryData<CoapOption> OfRequests =>
    [
        new IfMatch(new byte[1]), new UriHost("h"), new IfNoneMatch(), new UriPort(1), new UriPath("a"), new UriQuery("a"), new Accept(0),
        new ProxyUri("coap://h/"), new ProxyScheme("coap"),
    ];

    public static TheoryData<CoapOption> OfResponses => [new LocationPath("a"), new LocationQuery("a"), new MaxAge(1)];

    [Fact, Trait("RFC", "7252 4.3")]
    public void Requests_and_responses_are_not_Empty()
    {
        var request = () => new CoapRequest(new CoapCode(0));
        var response = () => new CoapResponse(new CoapCode(0));

        request.Should().Throw<ArgumentException>();
        response.Should().Throw<ArgumentException>();
    }

    [Theory, MemberData(nameof(OfRequests)), Trait("RFC", "7252 5.4")]
    public void A_response_has_no_option_that_is_defined_for_requests_only(CoapOption option)
    {
        var make = () => new CoapResponse(ResponseCode.Content) { Options = [option] };

        make.Should().Throw<ArgumentException>().WithMessage($"Option {option.Number} is not defined for responses (RFC 7252, section 5.4)*");
    }

    [Theory, MemberData(nameof(OfResponses)), Trait("RFC", "7252 5.4")]
    public void A_request_has_no_option_that_is_defined_for_responses_only(CoapOption option)
    {
        var make = () => new CoapRequest(RequestCode.Post) { Options = [option] };

        make.Should().Throw<ArgumentException>().WithMessage($"Option {option.Number} is not defined for requests (RFC 7252, section 5.4)*");
    }

    [Fact, Trait("RFC", "9175 3.4")]
    public void A_response_has_no_Request_Tag()
    {
        var make = () => new CoapResponse(ResponseCode.Content) { Options = [new RequestTag(new byte[1])] };

        make.Should().Throw<ArgumentException>().WithMessage("*Request-Tag*RFC 9175*");
    }

    [Fact, Trait("RFC", "7252 5.10.6.1")]
    public void A_response_has_one_ETag_at_most()
    {
        var make = () => new CoapResponse(ResponseCode.Content) { Options = [new ETag(new byte[1]), new ETag(new byte[2])] };

        make.Should().Throw<ArgumentException>().WithMessage("*at most one ETag*");
    }
}
