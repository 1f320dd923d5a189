namespace CoAP.Formats;

/// <summary>The contract of a type of the runtime that is one item.</summary>
internal sealed class ScalarContract<T>(Action<ItemWriter, T> write, Func<ItemReader, T> read) : PayloadContract<T>
{
    public override void Write(ItemWriter writer, T value) => write(writer, value);

    public override T Read(ItemReader reader) => read(reader);
}
