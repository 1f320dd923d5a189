namespace CoAP.Blocks;

/// <summary>Where two arrows meet and become one.</summary>
internal sealed class JunctionStage<T> : InlineStage<T, T>
{
    protected override void Process(in T item) => Out.Emit(item);
}
