using System.Text;

namespace CoAP.Tests.Conformance;

/// <summary>The default port (RFC 7252, section 7.1) and diagnostic texts (section 5.5.2).</summary>
public sealed class Rfc7252Section7Tests
{
    [Fact, Trait("RFC", "7252 7.1")]
    public void A_server_listens_on_port_5683_by_default()
    {
        new CoapServerSettings().Endpoints.Select(one => one.ToString()).Should().Equal(
            "coap://127.0.0.1:5683", "coap://[::1]:5683", "coap+tcp://127.0.0.1:5683", "coap+tcp://[::1]:5683");
    }

    [Theory, Trait("RFC", "7252 5.5.2")]
    [InlineData("für alle", "f\u00fcr alle"), InlineData("one\ntwo", "one\r\ntwo"), InlineData("one\r\ntwo\rthree", "one\r\ntwo\r\nthree")]
    public void A_diagnostic_text_is_UTF_8_in_the_form_of_Net_Unicode(string diagnostic, string sent)
    {
        Response.Error(ResponseCode.BadRequest, diagnostic).Payload.ToArray().Should().Equal(Encoding.UTF8.GetBytes(sent));
    }
}
