using System.Net;
using Xunit;

namespace Backend.Tests;

/// <summary>How many pages may be open.</summary>
public sealed class OpenPagesTests
{
    private readonly OpenPages _cut = new(new BackendSettings { MaxPages = 3, MaxPagesPerAddress = 2 });

    [Fact]
    public void An_address_has_a_share_of_all_pages()
    {
        Open("192.0.2.1").Should().NotBeNull();
        Open("::ffff:192.0.2.1").Should().NotBeNull();

        _cut.TryOpen(IPAddress.Parse("192.0.2.1"), out var isAddressFull).Should().BeNull();
        isAddressFull.Should().BeTrue();
        Open("192.0.2.2").Should().NotBeNull();
        _cut.TryOpen(IPAddress.Parse("192.0.2.3"), out isAddressFull).Should().BeNull();
        isAddressFull.Should().BeFalse();
    }

    [Fact]
    public void The_addresses_of_one_IPv6_network_share()
    {
        Open("2001:db8::1");
        Open("2001:db8::2");

        Open("2001:db8::3").Should().BeNull();
        Open("2001:db8:0:1::1").Should().NotBeNull();
    }

    [Fact]
    public void A_page_that_is_closed_twice_makes_room_once()
    {
        var page = Open("192.0.2.1")!;
        Open("192.0.2.1");

        page.Dispose();
        page.Dispose();

        Open("192.0.2.1").Should().NotBeNull();
        Open("192.0.2.1").Should().BeNull();
    }

    private IDisposable? Open(string address) => _cut.TryOpen(IPAddress.Parse(address), out _);
}
