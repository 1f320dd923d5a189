using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Vocabulary.Peers;

public sealed class ChannelEventsTests
{
    private static readonly ChannelDescription One = new()
    {
        Peer = PeerIdentity.From("one"),
        Local = PeerIdentity.From("server"),
        Scheme = CoapScheme.CoapTcp,
        Age = TimeSpan.Zero,
        SinceLastContact = TimeSpan.Zero,
    };

    [Fact]
    public void Without_a_subscriber_nothing_is_described()
    {
        var events = new ChannelEvents(this);

        events.Invoking(events => events.OnOpened(0, static _ => throw new InvalidOperationException())).Should().NotThrow();
    }

    [Fact]
    public async Task A_failing_subscriber_is_logged_and_the_others_still_get_the_event()
    {
        using var log = new TestLog();
        var seen = new TaskCompletionSource<object?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var events = new ChannelEvents(this) { Log = new EndpointLog(log, TimeProvider.System) };
        events.Closed += static (_, _) => throw new InvalidOperationException("broken");
        events.Closed += (sender, _) => seen.TrySetResult(sender);

        events.OnClosed(One, static one => one);

        (await seen.Task).Should().BeSameAs(this);
        log.Lines(LogLevel.Error).Should().ContainSingle(line => line.Contains("ChannelClosed"));
    }

    [Fact]
    public async Task A_storm_loses_events_beyond_the_bound_and_counts_them()
    {
        using var gate = new ManualResetEventSlim();
        var (entered, last) = (Source(), Source());
        var raised = 0;
        var events = new ChannelEvents(this);
        events.Opened += (_, _) =>
        {
            entered.TrySetResult();
            gate.Wait();
            if (++raised == ChannelEvents.MaxWaiting + 1) { last.TrySetResult(); }
        };
        events.OnOpened(One, static one => one);
        await entered.Task;

        for (var i = 0; i < ChannelEvents.MaxWaiting + 100; i++) { events.OnOpened(One, static one => one); }
        gate.Set();
        await last.Task;

        events.Lost.Should().Be(100);
    }

    private static TaskCompletionSource Source() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}
