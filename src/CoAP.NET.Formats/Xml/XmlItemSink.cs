namespace CoAP.Formats;

/// <summary>Writes the children of a root element piece by piece.</summary>
internal sealed class XmlItemSink<T> : TextArraySink<T>
{
    private readonly PayloadContract<T> _contract;
    private readonly XmlItemWriter _writer;

    public XmlItemSink(PayloadContract<T> contract, string root)
    {
        _contract = contract;
        _writer = new XmlItemWriter { Root = root };
        _writer.Reset(Buffer);
        _writer.BeginItems();
    }

    // The writer itself holds back less than 1 KiB.
    public override bool IsFull => Buffer.WrittenCount >= TextArraySource<T>.ChunkSize;

    public override ReadOnlyMemory<byte> Written
    {
        get
        {
            _writer.Flush();
            return Buffer.WrittenMemory;
        }
    }

    public override void Write(T item)
    {
        _writer.Continue();
        _contract.Write(_writer, item);
    }

    public override void End() => _writer.EndItems();
}
