using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Observing;

/// <summary>Observers get a new notification before Max-Age expires, and not all at the same time (RFC 7641, section 4.3.1).</summary>
public sealed class RefreshTests : IDisposable
{
    private const int Observers = 200;

    private readonly Wire _wire = new(new ManualClock());
    private readonly List<ScriptedPeer> _clients = [];
    private readonly List<IDisposable> _open = [];
    private LaneEnd _server = null!;
    private Resource _resource = null!;
    private uint? _maxAge;
    private int _calls;

    public void Dispose()
    {
        _open.ForEach(static one => one.Dispose());
        _server.Dispose();
    }

    // Between 5/8 and 7/8 of the 60 s that a response without Max-Age has.
    [Fact, Trait("RFC", "7641 4.3.1")]
    public void An_observer_is_notified_before_Max_Age_expires()
    {
        Serve();
        Observe(count: 1);

        var times = TimesIn(TimeSpan.FromMinutes(10)).Order().ToArray();

        times.Should().HaveCountGreaterThan(11);
        times.Prepend(0).Zip(times).Should().OnlyContain(static pair => pair.Second - pair.First >= 37.5 && pair.Second - pair.First <= 52.5);
    }

    // The random times of one representation, and of one representation for each client.
    [Theory, Trait("RFC", "7641 4.3.1")]
    [InlineData(false), InlineData(true)]
    public void Many_observers_are_notified_one_after_another_and_none_expires(bool perPeer)
    {
        Serve(perPeer: perPeer);
        Observe(Observers);

        var times = TimesIn(TimeSpan.FromMinutes(3)).Order().ToArray();

        var rounds = times.Length / (double)Observers;
        rounds.Should().BeInRange(3, 4.8);
        times.GroupBy(static time => (int)time).Max(static second => second.Count()).Should().BeLessThan(Observers / 3, "200 in 7.5 s are 27 a second");
        foreach (var client in _clients)
        {
            var own = _wire.Sent(Direction.ToClient).Where(sent => sent.To == client.Self).Select(static sent => sent.Time.TotalSeconds).ToArray();
            own.Append(180).Zip(own.Prepend(0)).Max(static pair => pair.First - pair.Second).Should().BeLessThan(60);
        }
        _calls.Should().BeLessThan(perPeer ? 6 * Observers : 10 + Observers);
    }

    // It leaves and comes back each time, so the observers are in another order.
    [Fact, Trait("RFC", "7641 4.3.1")]
    public void A_client_that_registers_again_and_again_does_not_delay_the_refresh_of_the_others()
    {
        Serve();
        Observe(Observers);
        using var restless = ScriptedPeer.Client(_wire, "restless");

        for (var time = 0; time < 600; time += 5)
        {
            restless.Send($"NON [0x{time + 10:x4}] GET /r (Token 0x01) {{Observe: 0}}");
            for (var step = 0; step < 10; step++) { Pass(seconds: 0.5); }
        }

        foreach (var client in _clients)
        {
            var own = _wire.Sent(Direction.ToClient).Where(sent => sent.To == client.Self).Select(static sent => sent.Time.TotalSeconds).ToArray();
            own.Append(600).Zip(own.Prepend(0)).Max(static pair => pair.First - pair.Second).Should().BeLessThan(60);
        }
    }

    // Otherwise, each request would cause a call of the handler for ever.
    [Theory, Trait("RFC", "8516 3")]
    [InlineData(false), InlineData(true)]
    public void The_calls_for_a_refresh_count_for_the_rate_limits(bool isOfServer)
    {
        const int Paths = 100;
        Serve(new(), limit: new RateLimit { Requests = 1, Per = TimeSpan.FromSeconds(2), Burst = Paths }, isOfServer: isOfServer);
        Observe(count: 1);
        var client = _clients[0];
        for (var i = 0; i < Paths; i++) { client.Send($"CON [0x{i + 16:x4}] GET /r?{i} (Token 0x{i + 16:x4}) {{Observe: 0}}"); }
        Pass(seconds: 0);
        var before = _calls;

        _ = TimesIn(TimeSpan.FromMinutes(10)).Count();

        (_calls - before).Should().BeInRange(1, 301, "600 s have room for 300 calls");
    }

    // Which observer's account is charged for a refresh is random.
    [Fact, Trait("RFC", "8516 3")]
    public void An_observer_that_asks_too_often_does_not_end_the_refreshes_of_another()
    {
        Serve(new(), limit: new RateLimit { Requests = 1, Per = TimeSpan.FromSeconds(10) });
        Observe(count: 2);
        var (greedy, honest) = (_clients[0], _clients[1]);

        for (var second = 0; second < 1800; second++)
        {
            greedy.Send($"NON [0x{second + 16:x4}] GET /r (Token 0x02)");
            Pass(seconds: 1);
        }

        var times = _wire.Sent(Direction.ToClient).Where(sent => sent.To == honest.Self).Select(static sent => sent.Time.TotalSeconds).ToArray();
        times.Append(1800).Zip(times.Prepend(0)).Max(static pair => pair.First - pair.Second).Should().BeLessThan(90, "Max-Age is 60 s");
    }

    [Fact, Trait("RFC", "7641 4.3.1"), Trait("RFC", "7641 1.3")]
    public void A_change_does_not_wait_for_a_refresh_that_is_under_way()
    {
        Serve();
        Observe(Observers);
        while (_wire.Sent(Direction.ToClient).Count < Observers + 50) { Pass(seconds: 0.1); }
        var before = _wire.Sent(Direction.ToClient).Count;

        _resource.NotifyChanged();
        Pass(seconds: 0.2);

        (_wire.Sent(Direction.ToClient).Count - before).Should().BeGreaterThanOrEqualTo(Observers);
    }

    [Theory, Trait("RFC", "7641 4.3.1")]
    [InlineData(29u, null, false), InlineData(30u, null, true), InlineData(29u, true, true), InlineData(60u, false, false)]
    public void The_setting_or_the_resource_decides(uint maxAge, bool? keepsFresh, bool isRefreshed)
    {
        _maxAge = maxAge;
        Serve(keepsFresh: keepsFresh);
        Observe(count: 1);

        TimesIn(TimeSpan.FromMinutes(5)).Any().Should().Be(isRefreshed);
    }

    [Fact]
    public void Without_the_setting_nothing_is_refreshed()
    {
        Serve(new ServerObservationSettings { MinRefreshedAge = null });
        Observe(count: 1);

        TimesIn(TimeSpan.FromMinutes(5)).Should().BeEmpty();
    }

    private void Serve(ServerObservationSettings? settings = null, bool perPeer = false, bool? keepsFresh = null, RateLimit? limit = null, bool isOfServer = false) => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            _resource = map.At("r").Observable(perPeer: perPeer, keepsFresh: keepsFresh).Get(Answer, HandlerMode.Inline);
            if (limit is not null && !isOfServer) { _resource.LimitRate(limit); }
        },
        new CoapServerSettings { ServerObservations = settings ?? new(), RateLimit = isOfServer ? limit : null });

    private CoapResponse Answer(IncomingRequest request)
    {
        _calls++;
        return new(ResponseCode.Content) { Options = _maxAge is { } age ? [new MaxAge(age)] : [] };
    }

    private void Observe(int count)
    {
        for (var i = 0; i < count; i++)
        {
            var client = ScriptedPeer.Client(_wire, $"client{i}");
            _clients.Add(client);
            _open.Add(client);
            client.Send("CON [0x0001] GET /r (Token 0x01) {Observe: 0}");
        }
        Pass(seconds: 0);
    }

    // The times of notifications in seconds since the registration. The clients acknowledge them.
    private IEnumerable<double> TimesIn(TimeSpan time)
    {
        var before = _wire.Sent(Direction.ToClient).Count;
        for (var end = _wire.Time.Elapsed + time; _wire.Time.Elapsed < end;) { Pass(seconds: 0.5); }
        return _wire.Sent(Direction.ToClient).Skip(before).Where(static sent => sent.Bytes[1] != 0).Select(static sent => sent.Time.TotalSeconds);
    }

    private void Pass(double seconds)
    {
        _wire.RunFor(TimeSpan.FromSeconds(seconds));
        foreach (var client in _clients)
        {
            var count = client.Received.Count;
            client.TakeAll(seconds: 0);
            foreach (var bytes in client.Received.Skip(count).Where(static bytes => (bytes[0] & 0x30) == 0)) { client.Send([0x60, 0, bytes[2], bytes[3]]); }
        }
    }
}
