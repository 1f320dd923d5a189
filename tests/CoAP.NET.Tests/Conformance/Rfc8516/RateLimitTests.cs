using System.Net;
using CoAP.Resources;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>A server limits how many requests an account may send (RFC 8516).</summary>
public sealed class RateLimitTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly List<IDisposable> _open = [];
    private LaneEnd _server = null!;
    private Resource _limited = null!;
    private int _nextId = 1;

    public void Dispose()
    {
        _open.ForEach(static one => one.Dispose());
        _server.Dispose();
    }

    [Fact, Trait("RFC", "8516 3")]
    public void One_request_too_many_gets_4_29_with_the_time_to_wait()
    {
        Serve(new RateLimit { Requests = 2, Per = TimeSpan.FromSeconds(10) });
        var client = Join("client");

        Codes(client, 3).Should().Equal(0x45, 0x45, 0x9D);
        WireMessage.Read(client.Received[^1]).Options.Should().ContainSingle(static option => option.Number == 14).Which.Value.Should().Equal(5);
        client.TakeAll(seconds: 4.9);
        Codes(client, 1).Should().Equal(0x9D);
        client.TakeAll(seconds: 0.1);
        Codes(client, 2).Should().Equal(0x45, 0x9D);
        client.TakeAll(seconds: 100);
        Codes(client, 3).Should().Equal(0x45, 0x45, 0x9D);
    }

    [Fact, Trait("RFC", "8516 3")]
    public void Accounts_and_resources_count_on_their_own()
    {
        Serve(new RateLimit { Requests = 1, Per = TimeSpan.FromSeconds(10) });
        var (greedy, honest) = (Join("greedy"), Join("honest"));

        Codes(greedy, 2).Should().Equal(0x45, 0x9D);

        Codes(honest, 1).Should().Equal(0x45);
        Codes(greedy, 3, "/free").Should().Equal(0x45, 0x45, 0x45);
    }

    [Fact, Trait("RFC", "8516 3")]
    public void The_limit_of_the_server_counts_all_resources()
    {
        Serve(limit: null, new RateLimit { Requests = 2, Per = TimeSpan.FromSeconds(10), Burst = 3 });
        var client = Join("client");

        Codes(client, 2, "/free").Concat(Codes(client, 2)).Should().Equal(0x45, 0x45, 0x45, 0x9D);
        Codes(client, 1, "/nothing").Should().Equal(0x9D);
    }

    // Ports make no difference, and the /48 of a site gets four times the share of a /64.
    [Fact, Trait("RFC", "8516 3")]
    public void Many_connections_and_addresses_of_one_site_get_no_larger_share()
    {
        Serve(new RateLimit { Requests = 1, Per = TimeSpan.FromSeconds(100) }, exemptsAll: true);
        var answers = new List<int>();
        for (var i = 0; i < 32; i++)
        {
            var client = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse($"2001:db8:0:{i:x}00::{i + 1}"), 5000 + i));
            _open.Add(client);
            answers.AddRange(Codes(client, 1));
        }

        answers.Count(static code => code == 0x45).Should().Be(4);
        var neighbor = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse("2001:db8:1::1"), 5000));
        _open.Add(neighbor);
        Codes(neighbor, 1).Should().Equal(0x45);
    }

    // Forged requests use up the part of the address for unverified requests. Its owner returns the Echo value and counts on his own.
    [Fact, Trait("RFC", "8516 3"), Trait("RFC", "9175 2.4")]
    public void Forged_requests_do_not_keep_out_the_owner_of_the_address()
    {
        Serve(new RateLimit { Requests = 5, Per = TimeSpan.FromSeconds(100) }, exempts: false);
        var victim = At("192.0.2.1", 5683);

        Codes(victim, 6).Should().Equal(0x45, 0x45, 0x45, 0x45, 0x45, 0x81);
        var echo = WireMessage.Read(victim.Received[^1]).Options.Single(static option => option.Number == 252).Value;
        victim.Send($"CON [0x7000] GET /limited (Token 0x01) {{252: 0x{Hex.Text(echo)}}}");
        victim.TakeAll(seconds: 0);

        WireMessage.Read(victim.Received[^1]).Code.Should().Be(0x45);
        Codes(victim, 5).Should().Equal(0x45, 0x45, 0x45, 0x45, 0x9D);
    }

    // A client that does not verify its address must not gain by it.
    [Fact, Trait("RFC", "8516 3"), Trait("RFC", "9175 2.4")]
    public void Ports_make_no_difference_for_an_unverified_address()
    {
        Serve(new RateLimit { Requests = 5, Per = TimeSpan.FromSeconds(100) }, exempts: false);

        var answers = Enumerable.Range(1, 100).SelectMany(port => Codes(At("192.0.2.1", port), 1)).ToArray();

        answers.Count(static code => code == 0x45).Should().Be(5);
        answers.Skip(5).Should().AllBeEquivalentTo(0x81);
        Enumerable.Range(1, 100).SelectMany(host => Codes(At($"2001:db8::{host:x}", 5683), 1)).Count(static code => code == 0x45).Should().Be(5);
    }

    [Fact, Trait("RFC", "8516 3"), Trait("RFC", "9175 2.4")]
    public void All_unverified_addresses_together_are_limited_and_their_owners_are_served_with_Echo()
    {
        Serve(new RateLimit { Requests = 2, Per = TimeSpan.FromSeconds(1000) }, exempts: false);

        var answers = Enumerable.Range(0, 1000).SelectMany(host => Codes(At($"198.51.{host / 250}.{host % 250}", 5683), 1)).ToArray();

        answers.Count(static code => code == 0x45).Should().Be(2 * RateLimiter.UnverifiedShares);
        var honest = At("203.0.113.77", 5683);
        Codes(honest, 1).Should().Equal(0x81);
        var echo = WireMessage.Read(honest.Received[^1]).Options.Single(static option => option.Number == 252).Value;
        honest.Send($"CON [0x7000] GET /limited (Token 0x01) {{252: 0x{Hex.Text(echo)}}}");
        honest.TakeAll(seconds: 0);
        WireMessage.Read(honest.Received[^1]).Code.Should().Be(0x45);
    }

    [Fact]
    public void Forged_addresses_take_no_memory()
    {
        Serve(new RateLimit { Requests = 5, Per = TimeSpan.FromSeconds(100) }, exempts: false);
        for (var i = 0; i < 2000; i++)
        {
            using var forged = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse($"198.51.{i / 250}.{i % 250}"), 5683));
            forged.Send("NON [0x0001] GET /limited (Token 0x01)");
            _wire.RunFor(TimeSpan.Zero);
        }

        _limited.Rate!.Count.Should().Be(0);
    }

    [Fact]
    public void Accounts_that_are_quiet_are_forgotten()
    {
        Serve(new RateLimit { Requests = 5 }, exemptsAll: true);
        for (var i = 0; i < 5000; i++)
        {
            using var client = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse($"198.51.{i / 250}.{i % 250}"), 5683));
            client.Send("NON [0x0001] GET /limited (Token 0x01)");
            _wire.RunFor(TimeSpan.FromMilliseconds(10));
        }

        _limited.Rate!.Count.Should().BeLessThan(1100);
    }

    // The endpoint makes these requests to itself.
    [Fact, Trait("RFC", "7641 4.2")]
    public void Notifications_are_not_limited()
    {
        Serve(new RateLimit { Requests = 1, Per = TimeSpan.FromHours(1) });
        var client = Join("client");
        client.Send("CON [0x0001] GET /limited (Token 0x01) {Observe: 0}");
        client.TakeAll(seconds: 0);

        for (var change = 0; change < 5; change++)
        {
            _limited.NotifyChanged();
            client.TakeAll(seconds: 0);
            var notification = WireMessage.Read(client.Received[^1]);
            (notification.Type, notification.Code).Should().Be((0, 0x45));
            client.Send($"ACK [0x{notification.Id:x4}]");
        }
    }

    [Fact]
    public void Wrong_limits_are_errors_that_name_the_value()
    {
        FluentActions.Invoking(static () => new RateLimit { Requests = 0 }).Should().Throw<ArgumentOutOfRangeException>().WithMessage("*0*");
        FluentActions.Invoking(static () => new RateLimit { Requests = 1, Per = TimeSpan.Zero }).Should().Throw<ArgumentOutOfRangeException>();
        FluentActions.Invoking(static () => new RateLimit { Requests = 1, Burst = 0 }).Should().Throw<ArgumentOutOfRangeException>();
        Serve(new RateLimit { Requests = 1 });
        _limited.Invoking(static one => one.LimitRate(new RateLimit { Requests = 1 })).Should().Throw<InvalidOperationException>().WithMessage("'/limited' has a rate limit already*");
        _limited.Invoking(static one => one.LimitRate(null!)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(static () => Response.TooManyRequests(TimeSpan.FromSeconds(-1))).Should().Throw<ArgumentOutOfRangeException>();
    }

    private void Serve(RateLimit? limit, RateLimit? ofServer = null, bool exempts = true, bool exemptsAll = false) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            _limited = map.At("limited").Observable(keepsFresh: false).Get(static _ => Response.Content("a"), HandlerMode.Inline);
            map.At("free").Get(static _ => Response.Content("a"), HandlerMode.Inline);
            if (limit is not null) { _limited.LimitRate(limit); }
        },
        new CoapServerSettings { RateLimit = ofServer, Amplification = new() { ExemptsLoopback = exempts, IsLimited = !exemptsAll } });

    private ScriptedPeer At(string address, int port)
    {
        var client = ScriptedPeer.Client(_wire, new IPEndPoint(IPAddress.Parse(address), port));
        _open.Add(client);
        return client;
    }

    private ScriptedPeer Join(string name)
    {
        var client = ScriptedPeer.Client(_wire, name);
        _open.Add(client);
        return client;
    }

    private int[] Codes(ScriptedPeer client, int count, string path = "/limited")
    {
        var before = client.Received.Count;
        for (var i = 0; i < count; i++)
        {
            client.Send($"CON [0x{_nextId++:x4}] GET {path} (Token 0x01)");
            client.TakeAll(seconds: 0);
        }
        return [.. client.Received.Skip(before).Select(static bytes => WireMessage.Read(bytes).Code)];
    }
}
