using CoAP.Discovery;

namespace CoAP.Conformance;

/// <summary>The attribute "obs" is a flag (RFC 7641, section 6).</summary>
public class Rfc7641Section6Tests
{
    [Theory, Trait("RFC", "7641 6")]
    [InlineData("</s>;obs", true)]
    [InlineData("</s>;obs=0", true)]
    [InlineData("</s>;obs=\"false\"", true)]
    [InlineData("</s>;obs;obs=0", true)]
    [InlineData("</s>;rt=obs", false)]
    public void A_value_or_a_second_occurrence_of_obs_is_ignored(string link, bool isObservable)
    {
        LinkFormat.Parse(link).Single().IsObservable.Should().Be(isObservable);
    }
}
