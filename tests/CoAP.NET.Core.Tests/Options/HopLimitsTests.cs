using CoAP.Options;

namespace CoAP.Tests.Options;

public sealed class HopLimitsTests
{
    [Theory]
    [InlineData(255u, 254u), InlineData(16u, 15u), InlineData(2u, 1u)]
    public void A_proxy_takes_one_off(uint received, uint expected)
    {
        HopLimits.TryForward([new UriPath("a"), new HopLimit(received), new UriQuery("b")], "proxy", out var forwarded, out var diagnostic).Should().BeTrue();

        forwarded.Should().Equal(new UriPath("a"), new UriQuery("b"), new HopLimit(expected));
        diagnostic.Should().BeNull();
    }

    [Fact]
    public void A_proxy_starts_with_16_where_there_is_no_limit()
    {
        HopLimits.TryForward([new UriPath("a")], "proxy", out var forwarded, out _).Should().BeTrue();

        forwarded.Get<HopLimit>()!.Value.Should().Be(16);
    }

    [Fact]
    public void The_last_hop_is_refused_with_the_name_of_the_proxy()
    {
        HopLimits.TryForward([new HopLimit(1)], "proxy-1.example", out var forwarded, out var diagnostic).Should().BeFalse();

        forwarded.IsEmpty.Should().BeTrue();
        diagnostic.Should().Be("proxy-1.example");
        ResponseCode.HopLimitReached.Should().Be(new CoapCode(5, 8));
    }

    [Theory]
    [InlineData(15, "p1 p2 p3 server", "p0 p1 p2 p3 server", 18)]
    [InlineData(15, "p1 p2 p3 server", "p1 p2 p3 server", 17)]
    public void Each_proxy_on_the_way_back_adds_its_name_while_there_is_room(int length, string received, string expected, int limit)
    {
        received.Should().HaveLength(length);

        HopLimits.Prepend("p0", received, limit).Should().Be(expected);
    }
}
