using CoAP.Resources;
using CoAP.Tests.Resources;

namespace CoAP.Tests.Conformance;

/// <summary>A method that nobody has defined gets 4.05 wherever it is meant to go (RFC 7252, section 5.8).</summary>
public sealed class UnrecognizedMethodTests
{
    [Theory, Trait("RFC", "7252 5.8")]
    [InlineData(8, "/nowhere", "4.05")]
    [InlineData(31, "/", "4.05")]
    [InlineData(8, "/r", "4.05")]
    [InlineData(1, "/nowhere", "4.04")]
    [InlineData(7, "/nowhere", "4.04")]
    [InlineData(2, "/r", "4.05")]
    public void Takes_precedence_over_a_path_that_is_not_there(byte method, string path, string code)
    {
        var map = new ResourceMap();
        map.At("r").Get(_ => Response.Changed);

        var decision = Dispatch.For(Requests.Message(new CoapCode(method), path), map);

        decision.Refusal!.Code.ToString().Should().Be(code);
    }
}
