using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class RequestWindowTests
{
    private sealed class Item(int number) : IWindowItem<Item>
    {
        public int Number => number;

        public bool IsWaiting { get; set; }

        public Item? Previous { get; set; }

        public Item? Following { get; set; }
    }

    private static (RequestWindow<Item> Window, Item[] Items) Filled(int nStart, int count)
    {
        var window = new RequestWindow<Item>(nStart, maxWaiting: 100);
        var items = Enumerable.Range(0, count).Select(number => new Item(number)).ToArray();
        foreach (var item in items) { window.Enter(item); }
        return (window, items);
    }

    private static List<int> Drain(RequestWindow<Item> window)
    {
        var started = new List<int>();
        while (window.Outstanding > 0)
        {
            window.Leave();
            while (window.TryStartNext(out var item)) { started.Add(item.Number); }
        }
        return started;
    }

    [Fact]
    [Trait("RFC", "7252 4.7")]
    public void No_more_than_NSTART_are_outstanding_and_the_others_follow_in_order()
    {
        var (cut, _) = Filled(nStart: 2, count: 6);

        cut.Outstanding.Should().Be(2);
        cut.Waiting.Should().Be(4);
        cut.TryStartNext(out _).Should().BeFalse();
        Drain(cut).Should().Equal(2, 3, 4, 5);
    }

    [Fact]
    public void A_full_queue_refuses_at_once()
    {
        var cut = new RequestWindow<Item>(nStart: 1, maxWaiting: 1);

        cut.Enter(new(0)).Should().Be(WindowEntry.Started);
        cut.Enter(new(1)).Should().Be(WindowEntry.Waiting);
        cut.Enter(new(2)).Should().Be(WindowEntry.Full);
    }

    [Fact]
    public void A_newcomer_does_not_overtake_those_who_wait()
    {
        var (cut, _) = Filled(nStart: 1, count: 2);
        cut.Leave();

        cut.Enter(new(9)).Should().Be(WindowEntry.Waiting);
        cut.TryStartNext(out var next).Should().BeTrue();
        next!.Number.Should().Be(1);
    }

    [Theory]
    [InlineData(1, new[] { 2, 3, 4 })]
    [InlineData(3, new[] { 1, 2, 4 })]
    [InlineData(4, new[] { 1, 2, 3 })]
    public void A_cancelled_item_leaves_the_queue(int cancelled, int[] rest)
    {
        var (cut, items) = Filled(nStart: 1, count: 5);

        cut.Remove(items[cancelled]).Should().BeTrue();
        cut.Remove(items[cancelled]).Should().BeFalse();
        cut.Remove(items[0]).Should().BeFalse("it is outstanding");
        Drain(cut).Should().Equal(rest);
    }

    [Fact]
    [Trait("RFC", "7252 4.7")]
    public void NSTART_can_be_changed_at_run_time()
    {
        var (cut, _) = Filled(nStart: 1, count: 6);

        cut.NStart = 3;
        while (cut.TryStartNext(out _)) { }
        cut.Outstanding.Should().Be(3);
        cut.NStart = 1;
        cut.Leave();
        cut.Leave();
        cut.TryStartNext(out _).Should().BeFalse();
        cut.Leave();
        cut.TryStartNext(out var next).Should().BeTrue();
        next!.Number.Should().Be(3);
    }

    [Fact]
    public void Leaving_an_empty_window_is_a_mistake_of_ours()
    {
        var cut = new RequestWindow<Item>(1, 1);

        cut.Invoking(window => window.Leave()).Should().Throw<InvalidOperationException>();
    }
}
