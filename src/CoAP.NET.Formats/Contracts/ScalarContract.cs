namespace CoAP.Formats;

/// <summary>The contract of a type of the runtime that is one item.</summary>
internal sealed class ScalarContract<T>(Action<CborWriter, T> write, Func<CborReader, T> read) : PayloadContract<T>
{
    public override void Write(CborWriter writer, T value) => write(writer, value);

    public override T Read(CborReader reader) => read(reader);
}
