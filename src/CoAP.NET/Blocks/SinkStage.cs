using System.Threading.Tasks.Dataflow;

namespace CoAP.Blocks;

/// <summary>The end of a lane's mesh: does something with each item, inline.</summary>
internal sealed class SinkStage<T>(SinkStage<T>.Consume consume) : ITargetBlock<T>, IInlineTarget<T>
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public delegate void Consume(in T item);

    public Task Completion => _completion.Task;

    public DataflowMessageStatus OfferMessage(DataflowMessageHeader messageHeader, T messageValue, ISourceBlock<T>? source, bool consumeToAccept)
    {
        if (Completion.IsCompleted) { return DataflowMessageStatus.DecliningPermanently; }
        if (consumeToAccept)
        {
            ArgumentNullException.ThrowIfNull(source);
            var consumed = source.ConsumeMessage(messageHeader, this, out var isOurs);
            if (!isOurs) { return DataflowMessageStatus.NotAvailable; }
            messageValue = consumed!;
        }
        return Take(in messageValue);
    }

    public DataflowMessageStatus Take(in T item)
    {
        if (Completion.IsCompleted) { return DataflowMessageStatus.DecliningPermanently; }
        consume(in item);
        return DataflowMessageStatus.Accepted;
    }

    public void Complete() => _completion.TrySetResult();

    public void Fault(Exception exception) => _completion.TrySetException(exception);
}
