using CoAP.Caching;
using CoAP.Options;

namespace CoAP.Tests.Caching;

public class CacheKeyTests
{
    private static CacheKey Key(CoapCode method, string origin, byte[] payload, params CoapOption[] options)
    {
        var request = new CacheRequest(origin, method, OptionSet.Create(options), payload);
        return request.Key(request.Resource);
    }

    private static CacheKey Get(params CoapOption[] options) => Key(RequestCode.Get, "coap://a:1", [], options);

    [Theory, Trait("RFC", "7252 5.4.2")]
    [InlineData(28, true)]          // Size2 and others with 1110 in their lowest bits are no part of it
    [InlineData(60, true)]
    [InlineData(65_020, true)]
    [InlineData(65_000, false)]
    [InlineData(65_001, false)]
    [InlineData(65_002, false)]
    [InlineData(65_022, false)]     // 11111: unsafe
    public void Options_that_are_no_part_of_the_cache_key_make_no_difference(int number, bool isEqual)
    {
        Get(new UriPath("x"), new UnknownOption(number, new byte[] { 7 })).Equals(Get(new UriPath("x"))).Should().Be(isEqual);
    }

    [Theory]
    [InlineData("a/b", "ab"), InlineData("a/b", "a%2Fb"), InlineData("a", "a/"), InlineData("a?b", "a/b"), InlineData("a?b&c", "a?bc"), InlineData("a?b&c", "a?c&b")]
    public void Other_resources_have_other_keys(string left, string right)
    {
        var (one, other) = (CoapUri.Parse("coap://h/" + left).ToPathOptions(), CoapUri.Parse("coap://h/" + right).ToPathOptions());

        CacheKey.OfResource("o", one).Should().NotBe(CacheKey.OfResource("o", other));
    }

    [Fact]
    public void Method_origin_and_each_option_make_a_difference()
    {
        var keys = new[]
        {
            Get(), Key(RequestCode.Fetch, "coap://a:1", []), Key(RequestCode.Get, "coap://a:2", []), Key(RequestCode.Get, "coaps://a:1", []),
            Get(new UriHost("b")), Get(new Accept(0)), Get(new Accept(50)), Get(new ProxyUri("coap://c/")), Get(new IfMatch(default)),
        };

        keys.Distinct().Should().HaveCount(keys.Length);
        keys.Should().OnlyContain(key => keys.Count(other => other.GetHashCode() == key.GetHashCode()) == 1);
    }

    [Fact, Trait("RFC", "8132 2")]
    public void The_payload_of_a_FETCH_is_part_of_the_key()
    {
        var (one, other) = (Key(RequestCode.Fetch, "o", [1]), Key(RequestCode.Fetch, "o", [2]));

        one.Should().NotBe(other);
        one.Should().Be(Key(RequestCode.Fetch, "o", [1]));
        one.Should().NotBe(Key(RequestCode.Fetch, "o", []));
    }

    [Fact, Trait("RFC", "7252 5.10.7")]
    public void A_location_is_the_resource_that_a_request_to_it_has()
    {
        var request = OptionSet.Create([new UriHost("h"), new UriPath("a"), new UriQuery("q"), new Accept(0)]);
        var response = OptionSet.Create([new LocationPath("b"), new LocationQuery("r")]);

        CacheKey.OfLocation("o", request, response).Should().Be(CacheKey.OfResource("o", [new UriHost("h"), new UriPath("b"), new UriQuery("r")]));
    }
}
