namespace CoAP.FormatComparison.Formats;

/// <summary>The names of the formats in tables, in the order of the tables.</summary>
internal static class FormatNames
{
    public const string Bytes = "bytes";
    public const string Cbor = "CBOR";
    public const string MessagePack = "MessagePack";
    public const string Protobuf = "Protobuf";
    public const string ProtobufFixed = "Protobuf, fixed32";
    public const string ProtobufGeneric = "Protobuf, generic";
    public const string Json = "JSON";
    public const string Xml = "XML";

    public static IReadOnlyList<string> All { get; } = [Bytes, Cbor, MessagePack, Protobuf, ProtobufFixed, ProtobufGeneric, Json, Xml];

    /// <summary>One for each format, with Protobuf's own schemas.</summary>
    public static IReadOnlyList<string> Compared { get; } = [Cbor, MessagePack, Protobuf, Json, Xml];

    /// <summary>Returns the place of a format in the order of tables.</summary>
    public static int PlaceOf(string format) => All.TakeWhile(one => one != format).Count();
}
