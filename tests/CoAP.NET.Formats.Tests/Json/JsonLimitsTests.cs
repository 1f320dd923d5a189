using System.Text;
using System.Text.Json;

namespace CoAP.Formats.Tests;

public sealed class JsonLimitsTests
{
    private static readonly PayloadLimits Small = new() { MaxDepth = 3, MaxSize = 60, MaxLength = 8, MaxCount = 4 };

    [Theory]
    [InlineData("[[[]]]")]
    [InlineData("[1,2,3,4]")]
    [InlineData("[[1,2,3,4],[1,2,3,4],[],[1]]")]
    [InlineData("{\"a\":1,\"b\":2,\"c\":3,\"d\":[1,2,3,4]}")]
    [InlineData("\"12345678\"")]
    [InlineData("[\"12345678\",{\"12345678\":1}]")]
    public void Reads_what_just_fits(string json) => Read(json, Small).ValueKind.Should().NotBe(JsonValueKind.Undefined);

    [Theory]
    [InlineData("[[[[]]]]", "depth of 3 has been exceeded")]
    [InlineData("{\"a\":[{\"b\":{}}]}", "depth of 3 has been exceeded")]
    [InlineData("[1,2,3,4,5]", "The array has more than 4 items; at most 4 are allowed (at byte 9).")]
    [InlineData("[[1],[],{},[],{}]", "The array has more than 4 items; at most 4 are allowed (at byte 14).")]
    [InlineData("{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5}", "The object has more than 4 members; at most 4 are allowed (at byte 25).")]
    [InlineData("[\"123456789\"]", "The text has 9 bytes; at most 8 are allowed (at byte 1).")]
    [InlineData("{\"123456789\":1}", "The text has 9 bytes; at most 8 are allowed (at byte 1).")]
    [InlineData("[                                                          ]", "The payload has 60 bytes")]
    public void Refuses_what_does_not_fit(string json, string message)
    {
        var limits = json.Length >= 60 ? Small with { MaxSize = 59 } : Small;
        var read = () => Read(json, limits);

        read.Should().Throw<CoapPayloadException>().Which.Message.Should().Contain(message);
    }

    [Fact]
    public void Depths_up_to_the_limit_of_1000_are_read()
    {
        var limits = new PayloadLimits { MaxDepth = 1000 };
        var read = () => Read(new string('[', 1001), limits);

        Read(new string('[', 1000) + new string(']', 1000), limits).GetArrayLength().Should().Be(1);
        read.Should().Throw<CoapPayloadException>().WithMessage("*depth of 1000 has been exceeded*");
    }

    private static JsonElement Read(string json, PayloadLimits limits) =>
        new JsonFormat(SampleJson.Default, limits).Read<JsonElement>(Encoding.UTF8.GetBytes(json));
}
