namespace CoAP.Formats.Generation.Shapes;

/// <summary>The calls that write and read a type of the runtime.</summary>
/// <param name="Write">A statement with "$" for the value.</param>
/// <param name="Read">An expression.</param>
internal sealed record ScalarForm(string Write, string Read)
{
    private const string Readers = "global::CoAP.Formats.CborReaderExtensions.";
    private const string Writers = "global::CoAP.Formats.CborWriterExtensions.";

    private static readonly Dictionary<string, ScalarForm> Known = new()
    {
        ["bool"] = Own("Boolean"),
        ["sbyte"] = Integer("SByte"),
        ["byte"] = Integer("Byte"),
        ["short"] = Integer("Int16"),
        ["ushort"] = Integer("UInt16"),
        ["int"] = Integer("Int32"),
        ["uint"] = Integer("UInt32"),
        ["long"] = Own("Int64"),
        ["ulong"] = Own("UInt64"),
        ["float"] = new("writer.WriteSingle($);", $"{Readers}ReadSingle(reader)"),
        ["double"] = Own("Double"),
        ["string"] = Own("Text"),
        ["byte[]"] = Own("Bytes"),
        ["global::System.ReadOnlyMemory<byte>"] = new("writer.WriteBytes($.Span);", "reader.ReadBytes()"),
        ["global::System.DateTimeOffset"] = new("writer.WriteTimestamp($);", $"{Readers}ReadDateTimeOffset(reader)"),
        ["decimal"] = Extension("Decimal"),
        ["char"] = Extension("Char"),
        ["global::System.Guid"] = Extension("Guid"),
        ["global::System.DateTime"] = Extension("DateTime"),
        ["global::System.TimeSpan"] = Extension("TimeSpan"),
        ["global::System.DateOnly"] = Extension("DateOnly"),
        ["global::System.TimeOnly"] = Extension("TimeOnly"),
        ["global::System.Uri"] = Extension("Uri"),
    };

    /// <summary>Returns the calls for a type, or <see langword="null"/>.</summary>
    public static ScalarForm? Find(string type) => Known.TryGetValue(type, out var form) ? form : null;

    private static ScalarForm Own(string name) => new($"writer.Write{name}($);", $"reader.Read{name}()");

    private static ScalarForm Integer(string name) => new("writer.WriteInt64($);", $"{Readers}Read{name}(reader)");

    private static ScalarForm Extension(string name) => new($"{Writers}Write{name}(writer, $);", $"{Readers}Read{name}(reader)");
}
