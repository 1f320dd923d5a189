using System.Globalization;
using System.Net;
using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

/// <summary>The ports of one address, and the networks of one IPv6 site, share one part of the duplicate memory.</summary>
public sealed class DeduplicationAccountsTests
{
    private const int Capacity = 1024;
    private const int Cells = 8192;

    private static readonly IPAddress Honest = IPAddress.Parse("192.0.2.1");

    private readonly Deduplication _cut = new(
        new() { Capacity = Capacity, AnswerBufferSize = Cells * 32, MaxAnswerSize = 1152 }, TransmissionParameters.Default, key: 7);

    [Theory]
    [InlineData("198.51.100.1", 20)]
    [InlineData("198.51.100.1", 900)]
    [InlineData("2001:db8::", 20)]
    [InlineData("2001:db8::", 900)]
    [Trait("RFC", "7252 4.5")]
    public void Many_ports_of_one_address_push_out_no_answer_of_another(string attacker, int answerLength)
    {
        Handle(Honest, port: 1, id: 5);

        for (var id = 0; id < 17; id++)
        {
            for (var port = 1; port <= 400; port++) { Handle(AddressOf(attacker, port), port, id, answerLength); }
        }

        Receive(Honest, port: 1, id: 5, out _).Should().Be(DuplicateCheck.Answered);
    }

    [Theory]
    [InlineData("2001:db8:0:{0:x}::1")]
    [InlineData("2001:db8:0:{0:x}00::1")]
    [Trait("RFC", "7252 4.5")]
    public void Small_shares_of_the_networks_of_one_site_push_out_no_answer_of_another(string attacker)
    {
        Handle(Honest, port: 1, id: 5);

        for (var id = 0; id < 8; id++)
        {
            for (var network = 0; network < 256; network++)
            {
                Handle(IPAddress.Parse(string.Format(CultureInfo.InvariantCulture, attacker, network)), port: 1, id);
            }
        }

        Receive(Honest, port: 1, id: 5, out _).Should().Be(DuplicateCheck.Answered);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(900)]
    [Trait("RFC", "7252 4.5")]
    public void Newcomers_push_out_answers_of_the_address_that_has_filled_the_memory(int answerLength)
    {
        for (var port = 1; port <= 10; port++) { Handle(Newcomer(port), port, id: 5); }
        var attacker = IPAddress.Parse("198.51.100.1");
        for (var port = 1; port <= 3000; port++) { Handle(attacker, port, id: 5, answerLength); }

        for (var port = 11; port <= 200; port++) { Handle(Newcomer(port), port, id: 5); }

        Enumerable.Range(1, 200).Select(port => Receive(Newcomer(port), port, id: 5, out _))
            .Should().AllBeEquivalentTo(DuplicateCheck.Answered);
    }

    [Fact]
    public void Forged_requests_of_an_address_leave_the_share_of_its_verified_port_alone()
    {
        for (var id = 0; id < 500; id++) { Handle(Honest, port: 1, id); }
        for (var port = 2; port < 5000; port++) { Handle(Honest, port, id: 5, isVerified: false); }

        Enumerable.Range(0, 500).Select(id => Receive(Honest, port: 1, id, out _)).Should().AllBeEquivalentTo(DuplicateCheck.Answered);
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.1", true)]
    [InlineData("192.0.2.1", "::ffff:192.0.2.1", true)]
    [InlineData("192.0.2.1", "192.0.2.2", false)]
    [InlineData("::ffff:192.0.2.1", "::ffff:192.0.2.2", false)]
    [InlineData("192.0.2.1", "::192.0.2.1", false)]
    [InlineData("2001:db8::1", "2001:db8::2", true)]
    [InlineData("2001:db8::1", "2001:db8:0:ffff::1", true)]
    [InlineData("2001:db8::1", "2001:db8:1::1", false)]
    [InlineData("fe80::1", "fe80::2%2", true)]
    [InlineData("fe80::1", "2001:db8::1", false)]
    public void An_account_is_an_address_or_a_site_and_each_port_is_a_channel(string one, string another, bool isSame)
    {
        var first = HashOf(one, 1);
        var second = HashOf(another, 2);

        (first.Account == second.Account).Should().Be(isSame);
        first.Channel.Should().NotBe(second.Channel);
    }

    [Fact]
    public void An_authenticated_identity_is_an_account_at_any_address()
    {
        HashOf("192.0.2.1", 1, "sensor").Account.Should().Be(HashOf("192.0.2.2", 2, "sensor").Account);
        HashOf("192.0.2.1", 1, "sensor").Account.Should().NotBe(HashOf("192.0.2.1", 1, "lamp").Account);
        HashOf("192.0.2.1", 1, new object()).Account.Should().Be(HashOf("192.0.2.1", 2).Account);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void The_ranking_finds_a_peer_with_nearly_the_most(int seed)
    {
        var random = new Random(seed);
        var amounts = new int[2, 50];
        var ranking = new ShareRanking(100, books: 2, least: 16);
        for (var step = 0; step < 20_000; step++)
        {
            var (book, index) = (random.Next(2), random.Next(50));
            var next = random.Next(random.Next(2) == 0 ? 20 : 1 << random.Next(1, 31));
            ranking.Move((book * 50) + index, book, amounts[book, index], next);
            amounts[book, index] = next;

            var most = Enumerable.Range(0, 50).Max(i => amounts[book, i]);
            var found = ranking.Largest(book);
            (found < 0 ? 0 : amounts[book, found % 50]).Should().BeGreaterThanOrEqualTo(
                most <= 16 ? 0 : most - (most / 16), "seed {0}, step {1}", seed, step);
        }
    }

    private static IPAddress Newcomer(int number) => new([203, 0, 113, (byte)number]);

    // An attacker in an IPv6 network has all addresses of it.
    private static IPAddress AddressOf(string attacker, int number)
    {
        var bytes = IPAddress.Parse(attacker).GetAddressBytes();
        if (bytes.Length == 16) { bytes[15] = (byte)number; }
        return new(bytes);
    }

    private SenderHash HashOf(string address, int port, object? identity = null) =>
        _cut.HashOf(KeyOf(IPAddress.Parse(address), port), identity);

    private static ChannelKey KeyOf(IPAddress address, int port) => new(PeerIdentity.From(new IPEndPoint(address, port)), default);

    private void Handle(IPAddress address, int port, int id, int answerLength = 20, bool isVerified = true)
    {
        Receive(address, port, id, out var ticket, isVerified).Should().Be(DuplicateCheck.New);
        _cut.Retain(ticket, RetentionClass.Unsafe, new byte[answerLength], now: 0, isVerified);
    }

    private DuplicateCheck Receive(IPAddress address, int port, int id, out Ticket ticket, bool isVerified = true) => _cut.Check(
        KeyOf(address, port), new((ushort)id), true, [0x40, 0x02, (byte)(id >> 8), (byte)id], now: 0, out ticket, isVerified);
}
