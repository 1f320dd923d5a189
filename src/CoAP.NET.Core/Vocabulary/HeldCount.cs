using System.Globalization;

namespace CoAP.Vocabulary;

/// <summary>The number of similar messages that were not logged since the last one. It is the last sentence of a log message, and empty if it is 0.</summary>
internal readonly record struct HeldCount(long Count)
{
    public static implicit operator HeldCount(long count) => new(count);

    public override string ToString() =>
        Count == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" Similar messages not logged since the last one: {Count}.");
}
