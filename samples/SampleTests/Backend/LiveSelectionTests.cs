using System.Globalization;
using CoAP.Testing;
using Xunit;

namespace Backend.Tests;

/// <summary>The controllers that a page shows.</summary>
public sealed class LiveSelectionTests
{
    private readonly BackendSettings _settings = new();
    private readonly ManualClock _clock = new();
    private readonly ControllerTable _controllers;

    public LiveSelectionTests() => _controllers = new ControllerTable(_settings, new InMemoryReadingStore(_settings), _clock);

    [Fact]
    public void The_most_recent_controllers_are_shown_in_the_order_of_their_ids()
    {
        Call(0, 300);
        _clock.Advance(TimeSpan.FromSeconds(1));
        Call(100, 200);

        Next(new LiveSelection(_controllers, [], _clock)).Changed.Should().Equal(Ids(100, 200));
    }

    [Fact]
    public void A_controller_that_is_shown_stays_while_it_calls()
    {
        Call(0, 200);
        var cut = new LiveSelection(_controllers, [], _clock);
        Next(cut);
        _clock.Advance(TimeSpan.FromSeconds(30));
        Call(200, 200);

        var next = Next(cut);

        (next.Changed.Length, next.Gone.Length).Should().Be((0, 0));
    }

    [Fact]
    public void A_quiet_controller_makes_room_for_one_that_calls()
    {
        Call(0, 200);
        var cut = new LiveSelection(_controllers, [], _clock);
        Next(cut);
        _clock.Advance(TimeSpan.FromMinutes(1));
        Call(1, 200);       // all but the first, and one more

        var next = Next(cut);

        next.Changed.Should().Equal(Ids(200, 1));
        next.Gone.Should().Equal(Ids(0, 1));
    }

    [Fact]
    public void Controllers_that_are_asked_for_are_shown_when_they_call_and_no_others()
    {
        var cut = new LiveSelection(_controllers, Ids(5, 2), _clock);
        Call(0, 6);
        var first = Next(cut).Changed;
        Call(6, 10);

        var second = Next(cut).Changed;

        first.Should().Equal(Ids(5, 1));
        second.Should().Equal(Ids(6, 1));
    }

    [Fact]
    public void A_change_is_shown_once()
    {
        Call(0, 2);
        var cut = new LiveSelection(_controllers, [], _clock);
        Next(cut);
        _controllers.TryFind("1", out _).Should().BeFalse();
        _controllers.TryFind(Ids(1, 1)[0], out var one);
        one!.Set(new SetPoint(5));

        var (first, second) = (Next(cut).Changed, Next(cut).Changed);

        first.Should().Equal(Ids(1, 1));
        second.Should().BeEmpty();
    }

    private static string[] Ids(int first, int count) => [.. Enumerable.Range(first, count).Select(static number => number.ToString("000", CultureInfo.InvariantCulture))];

    private static (string[] Changed, string[] Gone) Next(LiveSelection cut) =>
        cut.Next() is var next ? ([.. next.Changed.Select(static one => one.Id)], [.. next.Gone]) : default;

    private void Call(int first, int count)
    {
        foreach (var id in Ids(first, count)) { _controllers.TryAdd(id, "key " + id, out _); }
    }
}
