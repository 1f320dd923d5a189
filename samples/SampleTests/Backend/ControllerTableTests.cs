using CoAP.Testing;
using Xunit;

namespace Backend.Tests;

/// <summary>Which controllers have a place in the table.</summary>
public sealed class ControllerTableTests
{
    private const string Keyless = "";

    private readonly BackendSettings _settings = new() { MaxControllers = 4, MaxControllersPerIdentity = 2, SilentAfter = TimeSpan.FromMinutes(10) };
    private readonly ManualClock _clock = new();
    private readonly InMemoryReadingStore _store;
    private readonly ControllerTable _cut;

    public ControllerTableTests()
    {
        _store = new InMemoryReadingStore(_settings);
        _cut = new ControllerTable(_settings, _store, _clock);
    }

    [Fact]
    public void An_identity_with_its_share_gets_no_further_place_and_another_one_does()
    {
        Add(Keyless, "a", "b").Should().BeTrue();

        Add(Keyless, "c").Should().BeFalse();
        Add("key pump", "pump").Should().BeTrue();
    }

    [Fact]
    public void A_full_table_refuses_a_new_controller_while_all_others_call()
    {
        Add(Keyless, "a", "b");
        Add("key c", "c");
        Add("key d", "d");

        Add("key e", "e").Should().BeFalse();

        Add("key c", "c").Should().BeTrue();
    }

    [Fact]
    public async Task The_controller_that_has_been_silent_for_longest_loses_its_place_with_its_readings()
    {
        Add("key a", "a");
        _clock.Advance(TimeSpan.FromMinutes(1));
        Add("key b", "b");
        Add("key c", "c");
        Add("key d", "d");
        await _store.WriteAsync(new[] { new Report("a", [new Reading(1, _clock.GetUtcNow(), 1)]) }, CancellationToken.None);
        _clock.Advance(TimeSpan.FromMinutes(10));

        Add("key e", "e").Should().BeTrue();

        _cut.All.Select(static one => one.Id).Should().BeEquivalentTo("b", "c", "d", "e");
        (await _store.CountAsync(CancellationToken.None)).Should().BeEmpty();
    }

    [Fact]
    public void A_silent_controller_whose_reading_waits_keeps_its_place()
    {
        Add(Keyless, "a", "b");
        _cut.TryFind("a", out var waiting);
        waiting!.TryWait(limit: 1);
        _clock.Advance(TimeSpan.FromMinutes(10));

        Add(Keyless, "c").Should().BeTrue();

        _cut.All.Select(static one => one.Id).Should().BeEquivalentTo("a", "c");
    }

    [Fact]
    public void An_identity_at_its_share_evicts_its_own_silent_controllers_only()
    {
        Add("key a", "a");
        _clock.Advance(TimeSpan.FromMinutes(11));
        Add(Keyless, "b", "c");

        Add(Keyless, "d").Should().BeFalse();

        _cut.TryFind("a", out _).Should().BeTrue();
    }

    [Fact]
    public void A_controller_that_calls_with_its_key_no_longer_counts_among_those_without()
    {
        Add(Keyless, "pump", "fan");

        Add("key pump", "pump");

        Add(Keyless, "valve").Should().BeTrue();
        Add(Keyless, "pump").Should().BeTrue("a program without a key may call for it, but does not take it over");
        Add(Keyless, "lamp").Should().BeFalse();
    }

    private bool Add(string owner, params string[] ids) => ids.All(id => _cut.TryAdd(id, owner, out _));
}
