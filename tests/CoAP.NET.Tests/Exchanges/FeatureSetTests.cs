using CoAP.Exchanges;

namespace CoAP.Tests.Exchanges;

public sealed class FeatureSetTests
{
    private readonly FeatureSet<object> _features = new();

    [Fact]
    public void Finds_each_feature_by_its_type()
    {
        var (first, second) = (new First(), new Second());

        _features.Set(first);
        _features.Set(second);

        _features.Find<First>().Should().BeSameAs(first);
        _features.Find<Second>().Should().BeSameAs(second);
    }

    [Fact]
    public void Finds_nothing_in_an_empty_slot()
    {
        _features.Set(new First());

        _features.Find<Second>().Should().BeNull();
    }

    [Fact]
    public void Adds_only_to_an_empty_slot()
    {
        var first = new First();

        _features.TryAdd(first).Should().BeTrue();
        _features.TryAdd(new First()).Should().BeFalse();
        _features.TryAdd(new Second()).Should().BeTrue();

        _features.Find<First>().Should().BeSameAs(first);
    }

    [Fact]
    public void Replaces_what_a_slot_holds()
    {
        var (before, after, other) = (new First(), new First(), new Second());
        _features.Set(before);
        _features.Set(other);

        _features.Set(after);

        _features.Find<First>().Should().BeSameAs(after);
        _features.Find<Second>().Should().BeSameAs(other);
    }

    [Fact]
    public void Lets_one_of_many_threads_fill_a_slot()
    {
        for (var round = 0; round < 100; round++)
        {
            var features = new FeatureSet<object>();
            var added = 0;

            Parallel.For(0, 8, number =>
            {
                if (features.TryAdd(new First())) { Interlocked.Increment(ref added); }
                features.Set(new Second());
            });

            added.Should().Be(1);
            features.Find<First>().Should().NotBeNull();
            features.Find<Second>().Should().NotBeNull();
        }
    }

    private sealed class First;

    private sealed class Second;
}
