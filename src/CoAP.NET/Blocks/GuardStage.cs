namespace CoAP.Blocks;

/// <summary>Passes items on, and ends an item if a later stage throws an exception.</summary>
/// <param name="fail">Ends the item.</param>
internal sealed class GuardStage<T>(Action<T, Exception> fail) : InlineStage<T, T>
{
    protected override void Process(in T item)
    {
        try { Out.Emit(item); }
        catch (Exception exception) // The edge to a package's stages: a failure affects only this item.
        {
            fail(item, exception);
        }
    }
}
