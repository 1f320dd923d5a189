using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Exchanges;

namespace CoAP;

/// <summary>Adds the stages and sources of a package or a user to one lane.</summary>
/// <remarks>Stages at the same arrow run in the order in which they were inserted.</remarks>
public sealed class LaneBuilder
{
    private readonly List<(object Arrow, object Stage)> _stages = [];
    private readonly List<(object Arrow, object Source)> _sources = [];
    private readonly List<IDataflowBlock> _idle = [];

    internal LaneBuilder(ExchangeLane lane, IReadOnlyList<MeshLink> links)
    {
        Exchanges = lane;
        foreach (var link in links) { link.Apply(this); }
    }

    /// <summary>The lane.</summary>
    public ILane Lane => Exchanges;

    internal ExchangeLane Exchanges { get; }

    /// <summary>Inserts a stage at an arrow. All items of the arrow then pass through it.</summary>
    /// <remarks>A stage passes each item on, answers it (<see cref="Answer"/>), or drops it (<see cref="LaneExtensions.Drop"/>).</remarks>
    public void Insert<T>(MeshArrow<T> arrow, IPropagatorBlock<T, T> stage)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(stage);
        _stages.Add((arrow, stage));
    }

    /// <summary>Adds a source to an arrow. Its items do not pass through the stages that are inserted at the arrow.</summary>
    public void AddSource<T>(MeshArrow<T> arrow, ISourceBlock<T> source)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(source);
        _sources.Add((arrow, source));
    }

    /// <summary>Puts the stages that are inserted at an arrow in front of its target, and returns the first of them.</summary>
    internal ITargetBlock<T> Lead<T>(MeshArrow<T> arrow, ITargetBlock<T> target)
    {
        foreach (var source in SourcesOf(arrow)) { Link(source, Guard(arrow, target)); }
        var head = target;
        foreach (var stage in StagesOf(arrow).Reverse())
        {
            Link(stage, Guard(arrow, head));
            head = stage;
        }
        return head;
    }

    /// <summary>Links sources to a target along an arrow. A source that is <see langword="null"/> is not part of this lane.</summary>
    internal void Link<T>(MeshArrow<T> arrow, ITargetBlock<T> target, params ReadOnlySpan<ISourceBlock<T>?> sources)
    {
        if (IsEmpty(sources))
        {
            foreach (var source in SourcesOf(arrow)) { Link(source, Guard(arrow, target)); }
            _idle.AddRange(StagesOf(arrow));
            return;
        }
        var head = Lead(arrow, target);
        foreach (var source in sources)
        {
            if (source is not null) { Link(source, head); }
        }
    }

    /// <summary>Completes the stages at arrows that this lane does not have.</summary>
    internal void CompleteIdle() => _idle.ForEach(static stage => stage.Complete());

    // A stage or source of a package may emit an item later, when no earlier stage that would end it after a failure is on the call stack.
    private ITargetBlock<T> Guard<T>(MeshArrow<T> arrow, ITargetBlock<T> target)
    {
        if (!arrow.EndsFailures) { return target; }
        var guard = new GuardStage<T>((item, exception) => arrow.Fail(Exchanges, item, exception));
        Link(guard, target);
        return guard;
    }

    private static bool IsEmpty<T>(ReadOnlySpan<ISourceBlock<T>?> sources)
    {
        foreach (var source in sources)
        {
            if (source is not null) { return false; }
        }
        return true;
    }

    private static void Link<T>(ISourceBlock<T> source, ITargetBlock<T> target) =>
        source.LinkTo(target, new DataflowLinkOptions { PropagateCompletion = true });

    private IEnumerable<IPropagatorBlock<T, T>> StagesOf<T>(MeshArrow<T> arrow) =>
        _stages.Where(one => ReferenceEquals(one.Arrow, arrow)).Select(static one => (IPropagatorBlock<T, T>)one.Stage);

    private IEnumerable<ISourceBlock<T>> SourcesOf<T>(MeshArrow<T> arrow) =>
        _sources.Where(one => ReferenceEquals(one.Arrow, arrow)).Select(static one => (ISourceBlock<T>)one.Source);
}
