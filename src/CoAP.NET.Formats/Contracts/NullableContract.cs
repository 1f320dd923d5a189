using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of nullable values: null, or the value. For generated code.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <param name="values">The contract of the values.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class NullableContract<T>(PayloadContract<T> values) : PayloadContract<T?>
    where T : struct
{
    /// <inheritdoc/>
    public override void Write(CborWriter writer, T? value)
    {
        if (value is { } present) { values.Write(writer, present); }
        else { writer.WriteNull(); }
    }

    /// <inheritdoc/>
    public override T? Read(CborReader reader) => reader.TryReadNull() ? null : values.Read(reader);
}
