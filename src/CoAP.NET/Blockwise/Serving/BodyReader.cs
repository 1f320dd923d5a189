using System.IO.Pipelines;

namespace CoAP.Blockwise;

/// <summary>The reader of a streamed body, for its handler. A read after the handler has returned names the rule that it breaks.</summary>
/// <param name="reader">The reader of the pipe. It is completed when the handler returns.</param>
internal sealed class BodyReader(PipeReader reader) : PipeReader
{
    public override bool TryRead(out ReadResult result)
    {
        try { return reader.TryRead(out result); }
        catch (InvalidOperationException exception)
        {
            throw Late(exception);
        }
    }

    public override async ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        try { return await reader.ReadAsync(cancellationToken).ConfigureAwait(false); }
        catch (InvalidOperationException exception)
        {
            throw Late(exception);
        }
    }

    public override void AdvanceTo(SequencePosition consumed) => reader.AdvanceTo(consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) => reader.AdvanceTo(consumed, examined);

    public override void CancelPendingRead() => reader.CancelPendingRead();

    public override void Complete(Exception? exception = null) => reader.Complete(exception);

    private static InvalidOperationException Late(InvalidOperationException exception) =>
        new("The body can be read only until its handler returns.", exception);
}
