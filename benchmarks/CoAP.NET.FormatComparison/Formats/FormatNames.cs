namespace CoAP.FormatComparison.Formats;

/// <summary>The names of the formats in tables, in the order of the tables.</summary>
internal static class FormatNames
{
    public const string Bytes = "bytes";
    public const string Cbor = "CBOR";
    public const string MessagePack = "MessagePack";
    public const string MessagePackForCSharp = "MessagePack for C#";
    public const string Protobuf = "Protobuf";
    public const string ProtobufNet = "protobuf-net";
    public const string ProtobufFixed = "Protobuf, fixed32";
    public const string ProtobufGeneric = "Protobuf, generic";
    public const string Json = "JSON";
    public const string Xml = "XML";

    public static IReadOnlyList<string> All { get; } = [Bytes, Cbor, MessagePack, MessagePackForCSharp, Protobuf, ProtobufFixed, ProtobufGeneric, ProtobufNet, Json, Xml];

    /// <summary>What a user would pick beside the formats of CoAP.NET. Only for values with a type: lists and the tree.</summary>
    public static IReadOnlyList<string> References { get; } = [MessagePackForCSharp, ProtobufNet];

    /// <summary>One for each format, with Protobuf's own schemas.</summary>
    public static IReadOnlyList<string> Compared { get; } = [Cbor, MessagePack, Protobuf, Json, Xml];

    /// <summary>Returns the place of a format in the order of tables.</summary>
    public static int PlaceOf(string format) => All.TakeWhile(one => one != format).Count();
}
