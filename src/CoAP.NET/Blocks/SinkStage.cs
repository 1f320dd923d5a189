namespace CoAP.Blocks;

/// <summary>The last stage of a line: runs an action for each item.</summary>
internal sealed class SinkStage<T>(SinkStage<T>.Consume consume) : InlineTarget<T>
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public delegate void Consume(in T item);

    public override Task Completion => _completion.Task;

    protected override void Process(in T item) => consume(in item);

    protected override void OnCompleted() => _completion.TrySetResult();
}
