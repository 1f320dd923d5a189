using System.Collections.Concurrent;
using System.Net;
using CoAP.TestSupport;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Vocabulary.Peers;

public sealed class ChannelEventsTests
{
    // One account gets at most half of the places.
    private const int Share = ChannelEvents.MaxWaiting / 2;

    private static long _ticks;

    private static readonly ChannelDescription One = Channel("192.0.2.1");

    [Fact]
    public void Without_a_subscriber_nothing_is_described()
    {
        var events = new ChannelEvents(this);

        events.Invoking(events => events.OnOpened(0, static _ => 0, static _ => throw new InvalidOperationException())).Should().NotThrow();
    }

    [Fact]
    public async Task A_failing_subscriber_is_logged_and_the_others_still_get_the_event()
    {
        using var log = new TestLog();
        var seen = new TaskCompletionSource<object?>(TaskCreationOptions.RunContinuationsAsynchronously);
        var events = new ChannelEvents(this) { Log = new EndpointLog(log, TimeProvider.System) };
        events.Closed += static (_, _) => throw new InvalidOperationException("broken");
        events.Closed += (sender, _) => seen.TrySetResult(sender);

        Close(events, One);

        (await seen.Task).Should().BeSameAs(this);
        log.Lines(LogLevel.Error).Should().ContainSingle(line => line.Contains("ChannelClosed"));
    }

    [Fact]
    public async Task A_storm_of_one_address_loses_the_events_beyond_its_share_and_counts_them()
    {
        using var held = new HeldEvents();
        await held.BeginAsync();

        for (var i = 0; i < Share + 100; i++) { Open(held.Events, Channel("192.0.2.1")); }

        held.Events.Lost.Should().Be(100);
        (await held.EndAsync()).Should().HaveCount(1 + Share + 1);
    }

    [Theory]
    [InlineData("192.0.2.1", "192.0.2.2")]
    [InlineData("2001:db8:1::1", "2001:db8:2::1")]
    public async Task A_storm_of_one_address_takes_no_event_from_another(string storm, string honest)
    {
        using var held = new HeldEvents();
        await held.BeginAsync();
        for (var i = 0; i < ChannelEvents.MaxWaiting; i++) { Open(held.Events, Channel(storm.Replace("::1", $":{i % 64:x}::1", StringComparison.Ordinal))); }

        var channel = Channel(honest);
        Open(held.Events, channel);
        Close(held.Events, channel);

        (await held.EndAsync()).Where(one => one.Channel == channel).Select(one => one.IsOpened).Should().Equal(true, false);
    }

    [Fact]
    public async Task A_channel_loses_both_events_or_none()
    {
        using var held = new HeldEvents();
        await held.BeginAsync();
        ChannelDescription[] channels = [.. Enumerable.Range(0, Share + 100).Select(_ => Channel("192.0.2.1"))];

        foreach (var channel in channels) { Open(held.Events, channel); }
        foreach (var channel in channels) { Close(held.Events, channel); }

        held.Events.Lost.Should().Be(2 * 100);
        var raised = (await held.EndAsync()).Skip(1).SkipLast(1).ToList();
        var (opened, closed) = (raised.Where(one => one.IsOpened).Select(one => one.Channel), raised.Where(one => !one.IsOpened).Select(one => one.Channel));
        opened.Should().Equal(closed).And.HaveCount(Share);
    }

    [Fact]
    public async Task A_channel_that_was_open_before_anybody_listened_has_a_last_event()
    {
        using var held = new HeldEvents();
        await held.BeginAsync();
        for (var i = 0; i < ChannelEvents.MaxWaiting; i++) { Open(held.Events, Channel("192.0.2.1")); }

        Close(held.Events, One);

        (await held.EndAsync()).Should().Contain((false, One));
    }

    [Fact]
    public async Task Subscribers_of_the_last_events_alone_lose_those_beyond_the_share()
    {
        using var held = new HeldEvents(listensToOpened: false);
        await held.BeginAsync();

        for (var i = 0; i < Share + 100; i++) { Close(held.Events, Channel("192.0.2.1")); }

        held.Events.Lost.Should().Be(100);
    }

    private static void Open(ChannelEvents events, ChannelDescription channel) => events.OnOpened(channel, KeyOf, static one => one);

    private static void Close(ChannelEvents events, ChannelDescription channel) => events.OnClosed(channel, KeyOf, static one => one);

    private static object KeyOf(ChannelDescription channel) => channel.SinceLastContact;

    // Descriptions with the same content are equal, so each gets a time of its own.
    private static ChannelDescription Channel(string address) => new()
    {
        Peer = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(address), 5683)),
        Local = PeerIdentity.From("server"),
        Scheme = CoapScheme.CoapTcp,
        Age = TimeSpan.Zero,
        SinceLastContact = TimeSpan.FromTicks(Interlocked.Increment(ref _ticks)),
    };

    /// <summary>Events whose subscriber blocks from the first one on, until the test lets it continue.</summary>
    private sealed class HeldEvents : IDisposable
    {
        private readonly ManualResetEventSlim _gate = new();
        private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly ConcurrentQueue<(bool IsOpened, ChannelDescription Channel)> _raised = new();
        private readonly ChannelDescription _last = Channel("198.51.100.2");

        public HeldEvents(bool listensToOpened = true)
        {
            Events = new ChannelEvents(this);
            if (listensToOpened) { Events.Opened += (_, args) => OnRaised(isOpened: true, args.Channel); }
            Events.Closed += (_, args) => OnRaised(isOpened: false, args.Channel);
        }

        public ChannelEvents Events { get; }

        public async Task BeginAsync()
        {
            Close(Events, Channel("198.51.100.1"));
            await _entered.Task;
        }

        /// <summary>Returns all events, also those at the beginning and at the end that the holder has caused.</summary>
        public async Task<IReadOnlyList<(bool IsOpened, ChannelDescription Channel)>> EndAsync()
        {
            Close(Events, _last);
            _gate.Set();
            await _ended.Task;
            return [.. _raised];
        }

        public void Dispose() => _gate.Set();

        private void OnRaised(bool isOpened, ChannelDescription channel)
        {
            _entered.TrySetResult();
            _gate.Wait();
            _raised.Enqueue((isOpened, channel));
            if (channel == _last) { _ended.TrySetResult(); }
        }
    }
}
