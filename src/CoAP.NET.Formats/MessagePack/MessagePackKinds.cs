namespace CoAP.Formats;

/// <summary>What the first byte of an item means (MessagePack specification, "Formats").</summary>
internal static class MessagePackKinds
{
    private static readonly ItemKind[] Kinds = [.. Enumerable.Range(0, 1 << 8).Select(static first => Find((byte)first))];
    private static readonly byte[] Sizes = [.. Enumerable.Range(0, 1 << 8).Select(static first => FindSize((byte)first))];

    /// <summary>
    /// The kind of the items that begin with a byte. Each extension is <see cref="ItemKind.Tagged"/>, also a timestamp.
    /// <see cref="ItemKind.End"/> for the byte that is never used.
    /// </summary>
    public static ItemKind Of(byte first) => Kinds[first];

    /// <summary>The size of the number, the count or the length that follows the first byte, in bytes. 0 if the first byte itself holds it.</summary>
    public static int SizeOf(byte first) => Sizes[first];

    /// <summary>The count or length that the first byte itself holds.</summary>
    public static int FixCountOf(byte first) => first switch
    {
        < MessagePackByte.FixText => first & MessagePackByte.MaxFixCount,
        < MessagePackByte.Nil => first & MessagePackByte.MaxFixText,
        _ => 1 << (first - MessagePackByte.FixExtension1),
    };

    /// <summary>The name of a kind in error messages, without an article.</summary>
    public static string NameOf(ItemKind kind) => kind switch
    {
        ItemKind.Null => "nil value",
        ItemKind.Boolean => "Boolean value",
        ItemKind.Integer => "integer",
        ItemKind.Float => "number",
        ItemKind.Text => "text",
        ItemKind.Bytes => "byte string",
        ItemKind.Array => "array",
        ItemKind.Map => "map",
        ItemKind.Timestamp => "timestamp",
        _ => "extension",
    };

    /// <summary>The name of a kind in error messages, with an article.</summary>
    public static string Describe(ItemKind kind)
    {
        var name = NameOf(kind);
        return (name[0] is 'a' or 'e' or 'i' ? "an " : "a ") + name;
    }

    private static ItemKind Find(byte first) => first switch
    {
        <= MessagePackByte.MaxFixInteger or (>= MessagePackByte.UInt8 and <= MessagePackByte.Int64) or > MessagePackByte.Map32 => ItemKind.Integer,
        < MessagePackByte.FixArray or MessagePackByte.Map16 or MessagePackByte.Map32 => ItemKind.Map,
        < MessagePackByte.FixText or MessagePackByte.Array16 or MessagePackByte.Array32 => ItemKind.Array,
        < MessagePackByte.Nil or (>= MessagePackByte.Text8 and <= MessagePackByte.Text32) => ItemKind.Text,
        MessagePackByte.Nil => ItemKind.Null,
        MessagePackByte.False or MessagePackByte.True => ItemKind.Boolean,
        MessagePackByte.Bytes8 or MessagePackByte.Bytes16 or MessagePackByte.Bytes32 => ItemKind.Bytes,
        MessagePackByte.Float32 or MessagePackByte.Float64 => ItemKind.Float,
        MessagePackByte.NeverUsed => ItemKind.End,
        _ => ItemKind.Tagged,
    };

    private static byte FindSize(byte first) => first switch
    {
        MessagePackByte.UInt8 or MessagePackByte.Int8 or MessagePackByte.Bytes8 or MessagePackByte.Extension8
            or MessagePackByte.Text8 => sizeof(byte),
        MessagePackByte.UInt16 or MessagePackByte.Int16 or MessagePackByte.Bytes16 or MessagePackByte.Extension16 or MessagePackByte.Text16
            or MessagePackByte.Array16 or MessagePackByte.Map16 => sizeof(ushort),
        MessagePackByte.UInt32 or MessagePackByte.Int32 or MessagePackByte.Bytes32 or MessagePackByte.Extension32 or MessagePackByte.Text32
            or MessagePackByte.Array32 or MessagePackByte.Map32 or MessagePackByte.Float32 => sizeof(uint),
        MessagePackByte.UInt64 or MessagePackByte.Int64 or MessagePackByte.Float64 => sizeof(ulong),
        _ => 0,
    };
}
