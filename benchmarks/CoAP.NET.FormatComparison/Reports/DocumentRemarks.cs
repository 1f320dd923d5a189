using CoAP.FormatComparison.Formats;

namespace CoAP.FormatComparison.Reports;

/// <summary>What the text of the source document says about times (section 6.1). Its diagrams have no numbers in the text.</summary>
internal static class DocumentRemarks
{
    public static string List(string format) => format switch
    {
        FormatNames.MessagePack => "among the fast ones; the fastest overall",
        FormatNames.Json => "among the fast ones",
        FormatNames.Protobuf => "Python: among the fast ones",
        FormatNames.ProtobufGeneric => "Rust: slow; Python: slower than XML",
        FormatNames.Xml => "slowest to serialize: 7 times the next (Python), 1.3 times Protobuf (Rust); Rust cannot deserialize it",
        _ => "",
    };

    public static string Tree(string format) => format switch
    {
        FormatNames.MessagePack or FormatNames.Json => "as for lists",
        FormatNames.Protobuf => "Python: as for lists",
        FormatNames.ProtobufGeneric => "Rust: by far the slowest",
        FormatNames.Xml => "as for lists",
        _ => "",
    };

    public static string None(string format) => "";
}
