using CoAP.Caching;
using CoAP.Options;

namespace CoAP.Tests.Caching;

/// <summary>
/// A server whose resources change only by requests, and a client that may also be told nothing of a change. What the cache answers is compared
/// with a list of all responses there have been, searched from the end.
/// </summary>
public class CacheModelTests
{
    private sealed record Past(string Path, uint Accept, double At, byte Version, uint MaxAge, bool HasTag);

    private readonly Random _random;
    private readonly int _seed;
    private readonly CacheStore _cut = new(maxEntries: 1000, maxBytes: 10_000_000, maxErrorAge: 300 * TimeSpan.TicksPerSecond);
    private readonly List<Past> _past = [];
    private readonly Dictionary<string, byte> _versions = [];
    private readonly Dictionary<string, double> _changed = [];
    private double _now;
    private int _hits;
    private int _confirmed;

    public CacheModelTests() => (_seed, _random) = (20_261, new Random(20_261));

    [Fact]
    public void Every_answer_is_one_that_the_rules_allow()
    {
        for (var step = 0; step < 20_000; step++)
        {
            _now += _random.Next(3) == 0 ? _random.NextDouble() * 40 : 0.001;
            var path = $"{_random.Next(6)}";
            switch (_random.Next(10))
            {
                case 0:
                    Change(path);
                    break;
                case 1:
                    _versions[path] = (byte)(_versions.GetValueOrDefault(path) + 1);    // behind the client's back
                    break;
                default:
                    Read(path, accept: (uint)_random.Next(2), step);
                    break;
            }
        }
        _hits.Should().BeGreaterThan(1000);
        _confirmed.Should().BeGreaterThan(100);
    }

    private static long Ticks(double seconds) => (long)(seconds * TimeSpan.TicksPerSecond);

    private void Change(string path)
    {
        _versions[path] = (byte)(_versions.GetValueOrDefault(path) + 1);
        _changed[path] = _now;
        var ticket = _cut.Begin(new CacheRequest("o", RequestCode.Put, [new UriPath(path)], default), true, Ticks(_now));
        _cut.End(ticket, new StoredResponse(ResponseCode.Changed, default, default, default), Ticks(_now), out _);
    }

    private void Read(string path, uint accept, int step)
    {
        var ticket = _cut.Begin(new CacheRequest("o", RequestCode.Get, [new UriPath(path), new Accept(accept)], default), true, Ticks(_now));
        var last = _past.LastOrDefault(past => past.Path == path && past.Accept == accept);
        var isUnchanged = last is not null && (!_changed.TryGetValue(path, out var at) || at <= last.At);
        var isFresh = isUnchanged && last!.MaxAge > 0 && Ticks(_now) - Ticks(last.At) <= Ticks(last.MaxAge);

        ticket.IsFresh.Should().Be(isFresh, "seed {0}, step {1}", _seed, step);
        if (isFresh)
        {
            _hits++;
            ticket.Found!.Payload.Span[0].Should().Be(last!.Version, "seed {0}, step {1}", _seed, step);
            return;
        }
        ticket.Validation.Should().Be(last is { HasTag: true } ? new ETag(new[] { last.Version }) : null, "seed {0}, step {1}", _seed, step);
        Fetch(ticket, path, accept);
        _now += 0.001;
    }

    private void Fetch(in CacheTicket ticket, string path, uint accept)
    {
        var version = _versions.GetValueOrDefault(path);
        var maxAge = (uint)_random.Next(60);
        var isConfirmed = ticket.Validation is { } tag && tag.Value.Span[0] == version;
        var hasTag = isConfirmed || (_random.Next(2) == 0);
        List<CoapOption> options = [new MaxAge(maxAge)];
        if (hasTag) { options.Add(new ETag(new[] { version })); }
        var response = isConfirmed
            ? new StoredResponse(ResponseCode.Valid, [.. options], default, default)
            : new StoredResponse(ResponseCode.Content, [.. options], new[] { version }, default);

        var outcome = _cut.End(ticket, response, Ticks(_now), out var stored);

        outcome.Should().Be(isConfirmed ? CacheOutcome.UseStored : CacheOutcome.UseResponse);
        if (isConfirmed) { stored!.Payload.Span[0].Should().Be(version); }
        _confirmed += isConfirmed ? 1 : 0;
        _past.Add(new Past(path, accept, _now, version, maxAge, hasTag));
    }
}
