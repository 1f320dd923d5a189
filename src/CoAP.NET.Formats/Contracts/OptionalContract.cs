using System.ComponentModel;

namespace CoAP.Formats.Contracts;

/// <summary>The contract of references that may be <see langword="null"/>. Other contracts do not write or read null. For generated code.</summary>
/// <typeparam name="T">The type of the values.</typeparam>
/// <param name="values">The contract of the values.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class OptionalContract<T>(PayloadContract<T> values) : PayloadContract<T?>
    where T : class
{
    /// <inheritdoc/>
    public override void Write(CborWriter writer, T? value)
    {
        if (value is null) { writer.WriteNull(); }
        else { values.Write(writer, value); }
    }

    /// <inheritdoc/>
    public override T? Read(CborReader reader) => reader.TryReadNull() ? null : values.Read(reader);
}
