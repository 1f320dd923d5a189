using System.Net;
using CoAP.Exchanges;

namespace CoAP.Tests.Exchanges;

public sealed class RecentUrisTests
{
    private static readonly IPAddress A = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress B = IPAddress.Parse("192.0.2.2");

    [Fact]
    public void A_recent_URI_is_not_parsed_again()
    {
        var text = $"coap://recent-{Guid.NewGuid():n}.example/x?y=1";

        RecentUris.Parse(text).Should().BeSameAs(RecentUris.Parse(new string(text))).And.Be(CoapUri.Parse(text));
    }

    [Fact]
    public void A_URI_with_a_zone_is_parsed_each_time()
    {
        const string Text = "coap://[fe80::1%25lo]/x";

        RecentUris.Parse(Text).Should().NotBeSameAs(RecentUris.Parse(Text)).And.Be(CoapUri.Parse(Text));
    }

    [Fact]
    public void A_long_URI_is_parsed_each_time()
    {
        var text = $"coap://host/{string.Concat(Enumerable.Repeat("x/", RecentUris.MaxLength / 2))}";

        RecentUris.Parse(text).Should().NotBeSameAs(RecentUris.Parse(text)).And.Be(CoapUri.Parse(text));
    }

    [Fact]
    public void A_malformed_URI_is_refused_each_time()
    {
        var parse = () => RecentUris.Parse("coap://host:x/");

        parse.Should().Throw<FormatException>();
        parse.Should().Throw<FormatException>();
    }

    [Fact]
    public void More_URIs_than_places_replace_each_other()
    {
        string[] texts = [.. Enumerable.Range(0, RecentUris.Places * 2).Select(static number => $"coap://device-{number}.example/state")];

        Parallel.ForEach(texts.Concat(texts), static text => RecentUris.Parse(text).ToString().Should().Be(text));
    }

    [Theory]
    [InlineData("coap://host/x?y=1"), InlineData("coap://192.0.2.1/x"), InlineData("coap://192.0.2.1:5000/x"), InlineData("coap://host")]
    public void The_options_for_each_destination_are_those_of_a_new_URI(string text)
    {
        var cut = CoapUri.Parse(text);

        foreach (var (address, port) in new[] { (A, 5683), (A, 5683), (A, 5683), (B, 5683), (A, 5000), (A, 5683), (B, 5683), (B, 5683) })
        {
            cut.ToOptions(address, port).Should().Equal(CoapUri.Parse(text).ToOptions(address, port));
        }
    }
}
