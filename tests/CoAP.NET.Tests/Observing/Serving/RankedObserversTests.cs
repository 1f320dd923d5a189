using CoAP.Observing;
using Xunit.Abstractions;

namespace CoAP.Tests.Observing.Serving;

/// <summary>A visit of all observers leaves none out, however many come and go meanwhile, and visits almost none twice. Compared with a set.</summary>
public sealed class RankedObserversTests(ITestOutputHelper output)
{
    [Theory, InlineData(1), InlineData(3), InlineData(400)]
    public void A_visit_includes_every_entry(int accounts)
    {
        var seed = Random.Shared.Next();
        output.WriteLine($"seed {seed}");
        var random = new Random(seed);
        var cut = new RankedObservers();
        var (present, waiting) = (new List<One>(), new HashSet<One>());
        var again = 0;
        for (var step = 0; step < 20_000; step++)
        {
            switch (random.Next(10))
            {
                case < 3:
                    var next = new One { Account = Account.Of(PeerIdentity.FromIPv4(0x0A000000u + (uint)random.Next(accounts), 1)) };
                    present.Add(next);
                    cut.Add(next);
                    break;
                case < 6 when present.Count > 0:
                    var gone = present[random.Next(present.Count)];
                    present.Remove(gone);
                    waiting.Remove(gone);
                    cut.Remove(gone);
                    break;
                case < 9:
                    if (cut.TryVisit(out var visited) && !waiting.Remove((One)visited)) { again++; }
                    break;
                default:
                    if (random.Next(40) > 0) { break; }
                    cut.VisitAll();
                    waiting = [.. present];
                    break;
            }
            cut.Count.Should().Be(present.Count);
            if (waiting.Count > 0) { cut.HasUnvisited.Should().BeTrue(); }
        }
        while (cut.TryVisit(out var last)) { waiting.Remove((One)last); }

        waiting.Should().BeEmpty();
        again.Should().BeLessThan(4_500, "those that come during a visit are visited, and a departure moves at most one to where it is visited again");
    }

    private sealed class One : RankedObserver
    {
        public override Account CurrentAccount => Account;
    }
}
