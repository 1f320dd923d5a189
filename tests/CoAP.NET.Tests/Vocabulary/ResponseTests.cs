using CoAP.Options;

namespace CoAP.Tests.Vocabulary;

/// <summary>The methods that create common responses.</summary>
public sealed class ResponseTests
{
    [Fact]
    public void A_text_has_the_format_of_plain_text_and_no_other_option()
    {
        var response = Response.Content("20 °C");

        (response.PayloadText, response.Options.Count, response.Options.Get<ContentFormat>()!.Value).Should().Be(("20 °C", 1, 0u));
    }

    [Fact]
    public void A_text_can_have_a_lifetime_and_a_tag()
    {
        var response = Response.Content("20", maxAge: TimeSpan.FromSeconds(5.9), eTag: new ETag(new byte[] { 1, 2 }));

        (response.Options.Get<MaxAge>()!.Value, response.Options.Get<ETag>()!.Value.ToArray().Length).Should().Be((5u, 2));
        Response.Content("20").Options.Get<MaxAge>().Should().BeNull();
    }

    [Fact]
    public void A_lifetime_that_no_option_can_carry_is_refused()
    {
        FluentActions.Invoking(() => Response.Content("20", TimeSpan.FromSeconds(-1))).Should().Throw<ArgumentOutOfRangeException>().WithParameterName("maxAge");
        FluentActions.Invoking(() => Response.Content("20", TimeSpan.MaxValue)).Should().Throw<ArgumentOutOfRangeException>();
    }

    [Theory]
    [InlineData("/store/17", "store,17", "")]
    [InlineData("/store/17?x=1&y", "store,17", "x=1,y")]
    [InlineData("/?x=1", "", "x=1")]
    [InlineData("/store/", "store,", "")]
    [InlineData("/living%20room", "living room", "")]
    [InlineData("/a?at=../b", "a", "at=../b")]
    public void A_location_becomes_options(string location, string path, string query)
    {
        var response = Response.CreatedAt(location);

        response.Code.Should().Be(ResponseCode.Created);
        string.Join(',', response.Options.GetAll<LocationPath>().Select(static one => one.Value)).Should().Be(path);
        string.Join(',', response.Options.GetAll<LocationQuery>().Select(static one => one.Value)).Should().Be(query);
    }

    [Theory]
    [InlineData("/store/../17", "resolved path")]
    [InlineData("./17", "resolved path")]
    [InlineData("/store/%2e%2E", "resolved path")]
    [InlineData("coap://server/store/17", "names a host")]
    [InlineData("//server/store/17", "names a host")]
    [InlineData("/store#top", "fragment")]
    [InlineData("/store/%zz", "hexadecimal")]
    [InlineData("", "empty")]
    [InlineData("/", "names the URI of the request")]
    [InlineData("17", "such as '/17'")]
    [InlineData("store/17", "such as '/store/17'")]
    [InlineData("?x=1", "such as '/?x=1'")]
    public void A_location_that_no_option_can_carry_is_refused_with_an_explanation(string location, string reason)
    {
        FluentActions.Invoking(() => Response.CreatedAt(location)).Should().Throw<ArgumentException>().WithMessage($"*{reason}*").WithParameterName(nameof(location));
    }

    [Fact, Trait("RFC", "7252 5.10.6.1")]
    public void A_created_resource_can_have_a_tag()
    {
        var response = Response.CreatedAt("/store/17", new ETag(new byte[] { 7 }));

        response.Options.Get<ETag>()!.Value.ToArray().Should().Equal(7);
        response.Options.GetAll<LocationPath>().Should().HaveCount(2);
        Response.CreatedAt("/store/17").Options.Get<ETag>().Should().BeNull();
    }

    [Fact, Trait("RFC", "7252 5.9.1.3")]
    public void A_valid_response_can_have_a_lifetime()
    {
        var tag = new ETag(new byte[] { 7 });

        Response.Valid(tag, TimeSpan.FromHours(1)).Options.Get<MaxAge>()!.Value.Should().Be(3600);
        Response.Valid(tag).Options.Get<MaxAge>().Should().BeNull();
        FluentActions.Invoking(() => Response.Valid(tag, TimeSpan.FromSeconds(-1))).Should().Throw<ArgumentOutOfRangeException>().WithParameterName("maxAge");
        FluentActions.Invoking(static () => Response.Valid(null!)).Should().Throw<ArgumentNullException>();
    }

    [Fact]
    public void A_change_can_have_a_tag()
    {
        var response = Response.ChangedTo(new ETag(new byte[] { 7 }));

        (response.Code, response.Options.Get<ETag>()!.Value.ToArray()[0]).Should().Be((ResponseCode.Changed, (byte)7));
        FluentActions.Invoking(static () => Response.ChangedTo(null!)).Should().Throw<ArgumentNullException>();
    }
}
