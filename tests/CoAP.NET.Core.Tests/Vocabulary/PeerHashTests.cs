using System.Net;

namespace CoAP.Tests.Vocabulary;

/// <summary>The hash of a peer under a secret key: tables take its lowest bits as a place.</summary>
public sealed class PeerHashTests
{
    private const int Devices = 1000;
    private const int Places = 1 << 14;

    // Keys next to it once made a factor of the hash small, and neighbors collided.
    private const ulong Weakest = 0x5896_36F9_3C4A_B1D7;

    public static TheoryData<ulong> Keys()
    {
        var random = new Random(7252);
        var keys = new TheoryData<ulong> { 0, 1, ulong.MaxValue, 1UL << 63, Weakest };
        for (var bit = 1; bit < 64; bit += 3) { keys.Add(Weakest ^ (1UL << bit)); }
        for (var i = 0; i < 20; i++) { keys.Add((ulong)random.NextInt64()); }
        return keys;
    }

    [Theory, MemberData(nameof(Keys))]
    public void Neighboring_ports_of_an_address_spread_over_the_places_of_a_table(ulong key) =>
        PlacesOf(port => new IPEndPoint(IPAddress.Parse("192.0.2.1"), port), key).Should().BeGreaterThan(Devices * 9 / 10, "chance leaves about 970");

    [Theory, MemberData(nameof(Keys))]
    public void Neighboring_addresses_spread_over_the_places_of_a_table(ulong key) =>
        PlacesOf(number => new IPEndPoint(IPAddress.Parse($"2001:db8::{number:x}"), 5683), key).Should().BeGreaterThan(Devices * 9 / 10);

    private static int PlacesOf(Func<int, IPEndPoint> device, ulong key) =>
        Enumerable.Range(0, Devices).Select(number => PeerIdentity.From(device(number)).Hash(key) % Places).Distinct().Count();
}
