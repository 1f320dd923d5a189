using System.Collections.Frozen;

namespace CoAP.Formats;

/// <summary>Settings of the SenML formats: bounds of received packs, and how strict the formats are.</summary>
/// <remarks>Immutable. <see cref="PayloadLimits"/> bounds depth and sizes.</remarks>
public sealed record SenmlSettings
{
    /// <summary>The default settings.</summary>
    public static SenmlSettings Default { get; } = new();

    /// <summary>The largest number of records in a pack. Does not apply to streams. Default: 65,536.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxRecords { get; init => field = AtLeastOne(value, nameof(MaxRecords)); } = 65_536;

    /// <summary>The longest name, base name included, in characters. Default: 255.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxNameLength { get; init => field = AtLeastOne(value, nameof(MaxNameLength)); } = 255;

    /// <summary>
    /// The largest number of fields in <see cref="SenmlRecord.Extensions"/> when a record is read. Further fields that RFC 8428 does not
    /// define are ignored, except for those in <see cref="UnderstoodLabels"/>. Default: 16.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 256.</exception>
    public int MaxExtensions
    {
        get;
        init => field = value is >= 0 and <= 256
            ? value
            : throw new ArgumentOutOfRangeException(nameof(MaxExtensions), $"MaxExtensions is {value}; 0 to 256 are allowed.");
    }
    = 16;

    /// <summary>
    /// Whether names may contain any characters. RFC 8428, section 4.5.1 allows letters, digits and - : . / _ only, and requires a letter or a digit
    /// as the first character. Set it to accept the names of LwM2M, which begin with a slash. Default: <see langword="false"/>.
    /// </summary>
    public bool AllowsAnyName { get; init; }

    /// <summary>
    /// The labels that end with "_" and that your program understands. A pack with another one is refused (RFC 8428, section 4.4), as is a
    /// record that has one of them twice. Labels of more than <see cref="MaxNameLength"/> bytes are never understood. Default: none.
    /// </summary>
    public IReadOnlySet<string> UnderstoodLabels { get; init; } = FrozenSet<string>.Empty;

    private static int AtLeastOne(int value, string name) => value >= 1
        ? value
        : throw new ArgumentOutOfRangeException(name, $"{name} is {value}; at least 1 is required.");
}
