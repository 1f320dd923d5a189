namespace CoAP.Blocks;

/// <summary>The end of a lane's mesh: does something with each item, inline.</summary>
internal sealed class SinkStage<T>(SinkStage<T>.Consume consume) : InlineTarget<T>
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public delegate void Consume(in T item);

    public override Task Completion => _completion.Task;

    public override void Complete()
    {
        base.Complete();
        _completion.TrySetResult();
    }

    public override void Fault(Exception exception)
    {
        base.Fault(exception);
        _completion.TrySetException(exception);
    }

    protected override void Process(in T item) => consume(in item);
}
