namespace CoAP.Formats;

/// <summary>The major types and single bytes of CBOR (RFC 8949, sections 3.1 and 3.3).</summary>
internal static class CborMajor
{
    internal const int Unsigned = 0x00;
    internal const int Negative = 0x20;
    internal const int Bytes = 0x40;
    internal const int Text = 0x60;
    internal const int Array = 0x80;
    internal const int Map = 0xa0;
    internal const int Tag = 0xc0;
    internal const int Simple = 0xe0;

    internal const byte False = 0xf4;
    internal const byte True = 0xf5;
    internal const byte Null = 0xf6;
    internal const byte Undefined = 0xf7;
    internal const byte SimpleInByte = 0xf8;
    internal const byte Half = 0xf9;
    internal const byte Single = 0xfa;
    internal const byte Double = 0xfb;
    internal const byte Break = 0xff;

    /// <summary>The additional information that says that the length is not announced.</summary>
    internal const int Indefinite = 31;

    internal const ulong DateTimeTag = 0;
    internal const ulong EpochTag = 1;
    internal const ulong PositiveTag = 2;
    internal const ulong NegativeTag = 3;

    /// <summary>The tag that marks the start of CBOR (RFC 8949, section 3.4.6).</summary>
    internal const ulong SelfDescribed = 55799;

    /// <summary>Returns the kind of the item with this initial byte. The kind of a tag depends on its number.</summary>
    internal static ItemKind KindOf(byte initial) => (initial & 0xe0) switch
    {
        Unsigned or Negative => ItemKind.Integer,
        Bytes => ItemKind.Bytes,
        Text => ItemKind.Text,
        Array => ItemKind.Array,
        Map => ItemKind.Map,
        Tag => ItemKind.Tagged,
        _ => initial switch
        {
            False or True => ItemKind.Boolean,
            Null or Undefined => ItemKind.Null,
            Half or Single or Double => ItemKind.Float,
            Break => ItemKind.End,
            _ => ItemKind.Simple,
        },
    };

    /// <summary>Returns the name of the item with this initial byte, for error messages.</summary>
    internal static string NameOf(byte initial) => KindOf(initial) switch
    {
        ItemKind.Integer => "an integer",
        ItemKind.Bytes => "a byte string",
        ItemKind.Text => "a text",
        ItemKind.Array => "an array",
        ItemKind.Map => "a map",
        ItemKind.Tagged => "a tag",
        ItemKind.Boolean => "a Boolean value",
        ItemKind.Null => initial == Null ? "null" : "undefined",
        ItemKind.Float => "a floating-point number",
        ItemKind.End => "a break",
        _ => "a simple value",
    };
}
