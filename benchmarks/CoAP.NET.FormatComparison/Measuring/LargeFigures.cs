namespace CoAP.FormatComparison.Measuring;

/// <summary>
/// The figures of one large list. A peak is the resident memory, in bytes, less the memory before the values existed, so it includes the values.
/// </summary>
internal sealed record LargeFigures(
    long Bytes, double SerializeMilliseconds, double DeserializeMilliseconds, long SerializePeak, long DeserializePeak)
{
    public static LargeFigures Parse(string line)
    {
        var parts = line.Split(' ').Select(static part => double.Parse(part, CultureInfo.InvariantCulture)).ToArray();
        return new((long)parts[0], parts[1], parts[2], (long)parts[3], (long)parts[4]);
    }

    public string ToLine() => string.Create(
        CultureInfo.InvariantCulture, $"{Bytes} {SerializeMilliseconds} {DeserializeMilliseconds} {SerializePeak} {DeserializePeak}");
}
