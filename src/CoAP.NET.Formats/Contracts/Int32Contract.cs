namespace CoAP.Formats;

/// <summary>The contract of <see cref="int"/>. It has a class of its own because lists of it are written in bulk.</summary>
internal sealed class Int32Contract : PayloadContract<int>
{
    public static Int32Contract Instance { get; } = new();

    public override void Write(CborWriter writer, int value) => writer.WriteInt64(value);

    public override int Read(CborReader reader) => reader.ReadInt32();
}
