using System.Threading.Tasks.Dataflow;

namespace CoAP.Tests.Mesh;

/// <summary>Counts what passes an arrow and lets it pass.</summary>
internal sealed class Counter : ILinkMaker
{
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private int _count;

    public int Count => Volatile.Read(ref _count);

    /// <summary>Completes when the first item has passed.</summary>
    public Task First => _first.Task;

    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Filter(arrow, _ =>
    {
        Interlocked.Increment(ref _count);
        _first.TrySetResult();
        return true;
    });
}

/// <summary>Drops the first item of an arrow, or throws at it.</summary>
internal sealed class FirstDropped(bool throws = false) : ILinkMaker
{
    private int _count;

    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Filter(
        arrow, _ => Interlocked.Increment(ref _count) > 1 || (throws ? throw new InvalidOperationException("a bug in a filter") : false));
}

/// <summary>Shows an arrow to a block, which may fail.</summary>
internal sealed class Tap(bool throws = false) : ILinkMaker
{
    private readonly TaskCompletionSource _first = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the block has seen an item.</summary>
    public Task First => _first.Task;

    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Tap(arrow, new ActionBlock<T>(_ =>
    {
        _first.TrySetResult();
        if (throws) { throw new InvalidOperationException("a bug in a block"); }
    }));
}

/// <summary>Sends an arrow through a block, which may fail.</summary>
internal sealed class Through(bool throws = false) : ILinkMaker
{
    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Through(
        arrow, () => new TransformBlock<T, T>(item => throws ? throw new InvalidOperationException("a bug in a block") : item));
}

/// <summary>A stage that throws once.</summary>
/// <param name="at">The number of the item at which it throws, counted from 1.</param>
internal sealed class FailingStage(int at = 1) : ILinkMaker
{
    private int _count;

    private bool IsNext => Interlocked.Increment(ref _count) == at;

    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Stages(lane => lane.Insert(arrow, new Stage<T>(this)));

    private sealed class Stage<T>(FailingStage owner) : InlineStage<T, T>
    {
        protected override void Process(in T item)
        {
            if (owner.IsNext) { throw new InvalidOperationException("a bug in a stage"); }
            Out.Emit(item);
        }
    }
}

/// <summary>A stage that passes everything on and shows when it has completed.</summary>
internal sealed class PassingStage : ILinkMaker
{
    private readonly TaskCompletionSource _completed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the stage of a lane has completed.</summary>
    public Task Completed => _completed.Task;

    public MeshLink Make<T>(MeshArrow<T> arrow) => MeshLink.Stages(lane => lane.Insert(arrow, new Stage<T>(this)));

    private sealed class Stage<T>(PassingStage owner) : InlineStage<T, T>
    {
        protected override void Process(in T item) => Out.Emit(item);

        protected override void OnCompleted()
        {
            base.OnCompleted();
            owner._completed.TrySetResult();
        }
    }
}
