using CoAP.TestSupport;
using CoAP.Vocabulary;

namespace CoAP.Tests.Siege;

public sealed class EndpointLogTests : IDisposable
{
    private const int MaxGates = 1024;

    private readonly ManualClock _time = new();
    private readonly TestLog _logger = new();
    private readonly EndpointLog _cut;

    public EndpointLogTests() => _cut = new EndpointLog(_logger, _time);

    public void Dispose() => _logger.Dispose();

    [Fact]
    public void Each_pair_of_reason_and_source_has_a_gate_of_its_own()
    {
        Pass(LogEvent.HandlerFailed, "/a").Should().Be((true, 0));
        Pass(LogEvent.HandlerFailed, "/b").Should().Be((true, 0));
        Pass(LogEvent.RequestFailed, "/a").Should().Be((true, 0));
        Pass(LogEvent.RequestFailed, null).Should().Be((true, 0));
        Pass(LogEvent.HandlerFailed, new string('/', 1) + "a").Should().Be((false, 0), "templates are compared by their text");
    }

    [Fact]
    public void Beyond_the_limit_all_sources_of_a_reason_share_a_gate()
    {
        for (var i = 0; i < MaxGates; i++) { Pass(LogEvent.HandlerFailed, $"/{i}").Should().Be((true, 0)); }

        Pass(LogEvent.HandlerFailed, "/more").Should().Be((true, 0));
        for (var i = 0; i < 10_000; i++) { Pass(LogEvent.HandlerFailed, $"/more/{i}").Should().Be((false, i)); }
        Pass(LogEvent.RequestFailed, "/more").Should().Be((true, 0), "it is another reason");
        _time.Advance(TimeSpan.FromSeconds(10));

        Pass(LogEvent.HandlerFailed, "/even/more").Should().Be((true, 10_000));
        Pass(LogEvent.HandlerFailed, "/0").Should().Be((true, 0), "it has its gate");
    }

    [Fact]
    public void A_thousand_gates_that_threads_create_at_the_same_time_stay_within_the_limit()
    {
        var passed = 0;

        Parallel.For(0, 100_000, i =>
        {
            if (Pass(LogEvent.HandlerFailed, $"/{i}").IsPassed) { Interlocked.Increment(ref passed); }
        });

        passed.Should().BeInRange(MaxGates / 2, MaxGates + 1);
    }

    private (bool IsPassed, long Held) Pass(LogEvent reason, object? source) => (_cut.TryPass(reason, source, out var held), held);
}
