using System.Net;
using CoAP.Groups;

namespace CoAP.Tests.Groups;

/// <summary>Which answer to a group is dropped when too many wait.</summary>
public sealed class WaitingAnswersTests
{
    private readonly WaitingAnswers<Waiting> _cut = new();
    private readonly Random _random = new(7);

    [Theory]
    [InlineData("198.18.50.", "198.18.40.7"), InlineData("2001:db8:0:1::", "2001:db8:0:2::7")]
    public void An_answer_of_the_network_with_the_most_is_dropped(string network, string honest)
    {
        for (var i = 1; i <= 50; i++) { Add($"{network}{i}"); }
        var other = Add(honest);

        for (var i = 0; i < 40; i++)
        {
            var picked = _cut.PickOfLargest(Account.Unverified, _random)!;
            picked.Should().NotBe(other);
            _cut.Remove(picked);
        }
        _cut.Count.Should().Be(2);
    }

    [Fact]
    public void Chance_decides_among_networks_with_equally_many()
    {
        var all = Enumerable.Range(0, 20).Select(number => Add($"198.18.{number}.1")).ToList();

        var picked = Enumerable.Range(0, 1000).Select(_ => _cut.PickOfLargest(Account.Unverified, _random)!).ToList();

        all.Should().OnlyContain(one => picked.Count(other => other == one) > 20);
    }

    [Fact]
    public void Answers_of_other_accounts_are_not_dropped()
    {
        for (var i = 1; i <= 9; i++) { Add($"198.18.50.{i}", "Alice"); }
        var only = Add("198.18.50.10");

        _cut.PickOfLargest(Account.Unverified, _random).Should().Be(only);
        _cut.Remove(only);
        _cut.PickOfLargest(Account.Unverified, _random).Should().BeNull();
    }

    [Fact]
    public void Nothing_is_stored_when_all_have_left()
    {
        var all = Enumerable.Range(0, 60).Select(number => Add($"198.18.{number % 7}.{number}")).ToList();

        foreach (var one in all.OrderBy(_ => _random.Next())) { _cut.Remove(one); }

        _cut.Count.Should().Be(0);
    }

    private Waiting Add(string address, string? account = null)
    {
        var peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683));
        var answer = new Waiting(new(account is null ? Account.Unverified : Account.Of(account), Account.NetworkOf(peer)));
        _cut.Add(answer);
        return answer;
    }

    private sealed class Waiting(AnswerOrigin origin) : WaitingAnswer(origin);
}
