namespace CoAP.Formats;

/// <summary>The first bytes of items (MessagePack specification, "Formats").</summary>
internal static class MessagePackByte
{
    public const byte FixMap = 0x80, FixArray = 0x90, FixText = 0xa0;
    public const byte Nil = 0xc0, NeverUsed = 0xc1, False = 0xc2, True = 0xc3;
    public const byte Bytes8 = 0xc4, Bytes16 = 0xc5, Bytes32 = 0xc6;
    public const byte Extension8 = 0xc7, Extension16 = 0xc8, Extension32 = 0xc9;
    public const byte Float32 = 0xca, Float64 = 0xcb;
    public const byte UInt8 = 0xcc, UInt16 = 0xcd, UInt32 = 0xce, UInt64 = 0xcf;
    public const byte Int8 = 0xd0, Int16 = 0xd1, Int32 = 0xd2, Int64 = 0xd3;
    public const byte FixExtension1 = 0xd4, FixExtension2 = 0xd5, FixExtension4 = 0xd6, FixExtension8 = 0xd7, FixExtension16 = 0xd8;
    public const byte Text8 = 0xd9, Text16 = 0xda, Text32 = 0xdb;
    public const byte Array16 = 0xdc, Array32 = 0xdd, Map16 = 0xde, Map32 = 0xdf;

    /// <summary>The largest integer, count or length that the first byte itself holds.</summary>
    public const int MaxFixInteger = 0x7f, MaxFixCount = 0x0f, MaxFixText = 0x1f;

    /// <summary>The smallest integer that the first byte itself holds.</summary>
    public const int MinFixInteger = -32;
}
