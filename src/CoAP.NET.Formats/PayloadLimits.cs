namespace CoAP.Formats;

/// <summary>Bounds what a received payload may cost. All formats of this package have such limits.</summary>
/// <remarks>
/// Immutable. The transfer bounds the size of a whole body: see <see cref="ServerTransferSettings"/> and <see cref="ClientTransferSettings"/>.
/// </remarks>
public sealed record PayloadLimits
{
    // An object with a few fields, or a list and its place in another one.
    private const int BytesOfCollection = 64;

    /// <summary>The default limits.</summary>
    public static PayloadLimits Default { get; } = new();

    /// <summary>The largest number of arrays, maps, tags, messages or elements inside one another, 1 to 1,000. Default: 64.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,000.</exception>
    public int MaxDepth { get; init => field = Within(value, 1, 1000, nameof(MaxDepth)); } = 64;

    /// <summary>The largest payload, in bytes. Default: 64 MiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxSize { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxSize)); } = 64 << 20;

    /// <summary>The longest text or byte string, in bytes. Default: 16 MiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxLength { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxLength)); } = 16 << 20;

    /// <summary>The largest number of items in one array, or of entries in one map. Default: 16,777,216.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxCount { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxCount)); } = 16 << 20;

    /// <summary>
    /// The largest amount of memory that reading one value may take, in bytes. For a stream of items, it applies to each item.
    /// Default: 128 MiB.
    /// </summary>
    /// <remarks>
    /// An empty list is one byte of CBOR and at least 40 bytes of memory, so a small payload can become a large value. CBOR counts what is
    /// allocated, about every MiB. The other formats count 64 bytes for each array, map, message or element before they read the value.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxMemory { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxMemory)); } = 128 << 20;

    /// <summary>
    /// The largest number of items in one array or map, if the type that is read has a hash table whose hash codes a peer can foresee.
    /// Default: 4,096.
    /// </summary>
    /// <remarks>
    /// A peer that chooses keys with equal hash codes makes the time grow with the square of their number. Most tables are read with a
    /// <see cref="SeededComparer{T}"/> and are not bounded by this. It bounds maps with integer keys of Protobuf, sets that XmlSerializer
    /// reads, and in JSON immutable and read-only tables, and keys of your own types with equality of their own, such as records.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxForeseeableKeys { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxForeseeableKeys)); } = 4096;

    /// <summary>Returns the limits of a type with a hash table whose hash codes a peer can foresee.</summary>
    internal PayloadLimits OfForeseeableKeys() => this with { MaxCount = Math.Min(MaxCount, MaxForeseeableKeys) };

    /// <summary>Checks the size of a payload before it is read.</summary>
    /// <param name="length">The size in bytes.</param>
    /// <exception cref="CoapPayloadException">The payload is larger than <see cref="MaxSize"/>.</exception>
    public void CheckSize(int length)
    {
        if (length > MaxSize) { throw new CoapPayloadException($"The payload has {length} bytes; at most {MaxSize} are allowed (at byte 0).", 0); }
    }

    /// <summary>Returns whether a number of arrays, maps, messages or elements takes too much memory.</summary>
    internal bool IsTooMuch(long collections) => collections * BytesOfCollection > MaxMemory;

    /// <summary>Creates the error for a value that takes too much memory.</summary>
    internal CoapPayloadException TooMuchMemory(long offset) =>
        new($"The value takes too much memory; at most {MaxMemory} bytes are allowed (at byte {offset}).", offset);

    private static int Within(int value, int least, int most, string name) => value >= least && value <= most
        ? value
        : throw new ArgumentOutOfRangeException(name, $"{name} is {value}; {least} to {most} are allowed.");
}
