using System.Buffers.Binary;
using System.Net;
using System.Security.Cryptography;
using CoAP.Freshness;

namespace CoAP.Tests.Freshness;

public sealed class EchoIssuerTests
{
    private static readonly PeerIdentity Peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse("192.0.2.1"), 5683));

    private readonly EchoIssuer _cut = new(TimeSpan.FromHours(1), new Draws(7).Fill);

    [Fact, Trait("RFC", "9175 2.3")]
    public void A_value_tells_its_age()
    {
        var value = _cut.Issue(Peer, Seconds(9)).Value;

        _cut.TryVerify(value.Span, Peer, Seconds(10), out var age).Should().BeTrue();

        age.Should().Be(Seconds(1));
    }

    [Fact, Trait("RFC", "9175 A")]
    public void A_value_is_a_time_and_the_start_of_an_hmac_over_time_and_address()
    {
        var draws = new Draws(7);
        var (start, key) = (BitConverter.ToUInt32(draws.Take(4)), draws.Take(32));
        byte[] time = [0, 0, 0, 0], address = [2, 0x16, 0x33, 0, 0, 0, 0, .. new byte[10], 0xFF, 0xFF, 192, 0, 2, 1, .. new byte[16]];
        BinaryPrimitives.WriteUInt32BigEndian(time, unchecked(start + 9000));

        var value = _cut.Issue(Peer, Seconds(9)).Value.ToArray();

        value.Should().Equal([.. time, .. HMACSHA256.HashData(key, (byte[])[.. time, .. address])[..8]]);
    }

    [Fact, Trait("RFC", "9175 A"), Trait("RFC", "9175 5")]
    public void Each_flipped_bit_makes_a_value_worthless()
    {
        var value = _cut.Issue(Peer, Seconds(9)).Value.ToArray();

        for (var bit = 0; bit < value.Length * 8; bit++)
        {
            var forged = value.ToArray();
            forged[bit / 8] ^= (byte)(1 << (bit % 8));
            _cut.TryVerify(forged, Peer, Seconds(10), out _).Should().BeFalse($"bit {bit} was flipped");
        }
    }

    [Theory, Trait("RFC", "9175 A")]
    [InlineData("192.0.2.1", 5684), InlineData("192.0.2.2", 5683), InlineData("::ffff:192.0.2.3", 5683), InlineData("2001:db8::1", 5683)]
    public void A_value_is_worthless_for_another_address(string address, int port)
    {
        var value = _cut.Issue(Peer, Seconds(9)).Value;
        var other = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), port));

        _cut.TryVerify(value.Span, other, Seconds(10), out _).Should().BeFalse();
    }

    [Theory]
    [InlineData(0), InlineData(1), InlineData(11), InlineData(13), InlineData(40)]
    public void A_value_of_another_length_is_worthless(int length)
    {
        _cut.TryVerify(new byte[length], Peer, Seconds(10), out _).Should().BeFalse();
    }

    [Fact]
    public void A_value_of_another_endpoint_is_worthless()
    {
        var other = new EchoIssuer(TimeSpan.FromHours(1), new Draws(8).Fill);

        _cut.TryVerify(other.Issue(Peer, Seconds(9)).Value.Span, Peer, Seconds(10), out _).Should().BeFalse();
    }

    [Theory]
    [InlineData(3599, 3601, true), InlineData(10, 7199, true), InlineData(10, 7200, false), InlineData(3600, 10799, true), InlineData(3599, 36000, false)]
    public void A_value_lives_until_its_key_has_been_replaced_twice(int made, int shown, bool isKnown)
    {
        var value = _cut.Issue(Peer, Seconds(made)).Value;

        _cut.TryVerify(value.Span, Peer, Seconds(shown), out var age).Should().Be(isKnown);

        age.Should().Be(isKnown ? Seconds(shown - made) : long.MaxValue);
    }

    [Fact, Trait("RFC", "9175 5")]
    public void The_time_wraps_after_fifty_days_without_bringing_old_values_back()
    {
        var value = _cut.Issue(Peer, Seconds(10)).Value;
        var wrap = (1L << 32) * TimeSpan.TicksPerMillisecond;

        _cut.TryVerify(value.Span, Peer, Seconds(11) + wrap, out _).Should().BeFalse();
        _cut.TryVerify(_cut.Issue(Peer, wrap - Seconds(1)).Value.Span, Peer, wrap + Seconds(1), out var age).Should().BeTrue();

        age.Should().Be(Seconds(2));
    }

    // Another lane of the endpoint may have read the clock a moment earlier.
    [Theory]
    [InlineData(10_000, 9_500, true), InlineData(10_000, 8_500, false), InlineData(3_600_100, 3_599_900, true)]
    public void A_value_may_come_from_a_moment_ahead(int made, int shown, bool isKnown)
    {
        var value = _cut.Issue(Peer, made * TimeSpan.TicksPerMillisecond).Value;

        _cut.TryVerify(value.Span, Peer, shown * TimeSpan.TicksPerMillisecond, out var age).Should().Be(isKnown);

        age.Should().Be(isKnown ? 0 : long.MaxValue);
    }

    private static long Seconds(int seconds) => seconds * TimeSpan.TicksPerSecond;

    /// <summary>The same seed gives the same bytes.</summary>
    private sealed class Draws(int seed)
    {
        private readonly Random _random = new(seed);

        public void Fill(Span<byte> bytes) => _random.NextBytes(bytes);

        public byte[] Take(int length)
        {
            var bytes = new byte[length];
            _random.NextBytes(bytes);
            return bytes;
        }
    }
}
