namespace CoAP.FormatComparison.Formats;

/// <summary>One data set in one format.</summary>
internal abstract class Case(string format)
{
    public string Format => format;

    public abstract void Serialize(IBufferWriter<byte> output);

    public abstract object Deserialize(ReadOnlyMemory<byte> bytes);

    /// <summary>Whether a deserialized value equals the original.</summary>
    public abstract bool Matches(object value);

    /// <summary>Serializes into a new array.</summary>
    public byte[] ToBytes()
    {
        var output = new ArrayBufferWriter<byte>();
        Serialize(output);
        return output.WrittenSpan.ToArray();
    }
}

/// <summary>A value of one type in one format.</summary>
/// <param name="name">The name of the format in tables.</param>
/// <param name="format">The format as an endpoint would use it.</param>
/// <param name="value">The value.</param>
/// <param name="matches">Whether a deserialized value equals the original.</param>
internal sealed class Case<T>(string name, IPayloadFormat format, T value, Func<object, bool> matches) : Case(name)
    where T : notnull
{
    public override void Serialize(IBufferWriter<byte> output) => format.Write(output, value);

    public override object Deserialize(ReadOnlyMemory<byte> bytes) => format.Read<T>(bytes);

    public override bool Matches(object value) => matches(value);
}
