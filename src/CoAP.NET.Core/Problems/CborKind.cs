namespace CoAP.Problems;

/// <summary>The major types of CBOR (RFC 8949, section 3.1).</summary>
internal enum CborKind
{
    None = -1,
    Unsigned = 0,
    Negative = 1,
    Bytes = 2,
    Text = 3,
    Array = 4,
    Map = 5,
    Tag = 6,
    Simple = 7,
}
