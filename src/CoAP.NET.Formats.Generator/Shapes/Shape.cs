namespace CoAP.Formats.Generation.Shapes;

/// <summary>How the values of one type are written and read: pieces of source.</summary>
internal abstract class Shape(string type, bool isValue)
{
    /// <summary>The type in source, with "global::".</summary>
    public string Type { get; } = type;

    /// <summary>Whether the type is a value type, which is never null.</summary>
    public bool IsValue { get; } = isValue;

    /// <summary>An expression for the contract of the type.</summary>
    public abstract string Contract { get; }

    /// <summary>An expression that reads a value from the variable "reader".</summary>
    public virtual string Read => $"{Contract}.Read(reader)";

    /// <summary>A statement that writes an expression, which is not null, to the variable "writer".</summary>
    public virtual string Write(string value) => $"{Contract}.Write(writer, {value});";
}
