using System.Numerics;
using System.Runtime.CompilerServices;
using System.Text;

namespace CoAP.Formats;

/// <summary>
/// One record of a SenML pack: a measurement or a parameter, and base fields that apply to this record and to those after it (RFC 8428, section 4).
/// Members that are <see langword="null"/> are not in the record.
/// </summary>
/// <remarks>
/// The meaning of a record depends on the records before it: see <see cref="SenmlPack"/>. Immutable, except for <see cref="DataValue"/>, which is not
/// copied.
/// </remarks>
public sealed record SenmlRecord
{
    private const int BaseFields = (1 << (int)SenmlLabel.Name) - 1;

    private const int ValueFields = (1 << (int)SenmlLabel.Value) | (1 << (int)SenmlLabel.TextValue) | (1 << (int)SenmlLabel.BooleanValue)
        | (1 << (int)SenmlLabel.DataValue);

    // Stands for all fields that a reader has skipped.
    private const int IgnoredValue = 1 << (int)SenmlLabel.Unknown;

    // Smaller than nullable members, and the encodings can read and set a field by its label.
    private Numbers _numbers;
    private Texts _texts;
    private ReadOnlyMemory<byte> _data;
    private bool _boolean;
    private int _present;

    /// <summary>The text in front of <see cref="Name"/>: "bn".</summary>
    public string? BaseName { get => TextOf(SenmlLabel.BaseName); init => Set(SenmlLabel.BaseName, value); }

    /// <summary>The number of seconds that is added to <see cref="Time"/>: "bt".</summary>
    public double? BaseTime { get => NumberOf(SenmlLabel.BaseTime); init => Set(SenmlLabel.BaseTime, value); }

    /// <summary>The unit of records without a <see cref="Unit"/>: "bu".</summary>
    public string? BaseUnit { get => TextOf(SenmlLabel.BaseUnit); init => Set(SenmlLabel.BaseUnit, value); }

    /// <summary>The number that is added to <see cref="Value"/>: "bv".</summary>
    public double? BaseValue { get => NumberOf(SenmlLabel.BaseValue); init => Set(SenmlLabel.BaseValue, value); }

    /// <summary>The number that is added to <see cref="Sum"/>: "bs".</summary>
    public double? BaseSum { get => NumberOf(SenmlLabel.BaseSum); init => Set(SenmlLabel.BaseSum, value); }

    /// <summary>
    /// The version of the pack: "bver". 10 if there is none, or 26 if the units may be those of <see cref="SenmlSecondaryUnits"/> (RFC 9100).
    /// </summary>
    public int? BaseVersion { get => (int?)NumberOf(SenmlLabel.BaseVersion); init => Set(SenmlLabel.BaseVersion, (double?)value); }

    /// <summary>The name of the sensor or parameter, behind the base name: "n".</summary>
    public string? Name { get => TextOf(SenmlLabel.Name); init => Set(SenmlLabel.Name, value); }

    /// <summary>The unit of the value, such as <see cref="SenmlUnits.DegreesCelsius"/>: "u".</summary>
    public string? Unit { get => TextOf(SenmlLabel.Unit); init => Set(SenmlLabel.Unit, value); }

    /// <summary>The value as a number: "v".</summary>
    public double? Value { get => NumberOf(SenmlLabel.Value); init => Set(SenmlLabel.Value, value); }

    /// <summary>The value as a text: "vs".</summary>
    public string? TextValue { get => TextOf(SenmlLabel.TextValue); init => Set(SenmlLabel.TextValue, value); }

    /// <summary>The value as <see langword="true"/> or <see langword="false"/>: "vb".</summary>
    public bool? BooleanValue { get => Has(SenmlLabel.BooleanValue) ? _boolean : null; init => Set(value); }

    /// <summary>The value as bytes: "vd".</summary>
    public ReadOnlyMemory<byte>? DataValue { get => Has(SenmlLabel.DataValue) ? (ReadOnlyMemory<byte>?)_data : null; init => Set(value); }

    /// <summary>The integral of the value over time, in the unit multiplied by seconds: "s".</summary>
    public double? Sum { get => NumberOf(SenmlLabel.Sum); init => Set(SenmlLabel.Sum, value); }

    /// <summary>
    /// The time of the value in seconds: "t". With the base time added, values below 2^28 are relative to now (RFC 8428, section 4.5.3).
    /// </summary>
    public double? Time { get => NumberOf(SenmlLabel.Time); init => Set(SenmlLabel.Time, value); }

    /// <summary>The number of seconds within which the sensor sends the next value: "ut".</summary>
    public double? UpdateTime { get => NumberOf(SenmlLabel.UpdateTime); init => Set(SenmlLabel.UpdateTime, value); }

    /// <summary>
    /// The fields that RFC 8428 does not define and whose values are numbers, texts, Boolean values or bytes. When a record is read, fields with
    /// other values or with labels that section 11 does not allow are ignored, as are repeated ones and those beyond
    /// <see cref="SenmlSettings.MaxExtensions"/>.
    /// </summary>
    public IReadOnlyList<SenmlExtension> Extensions { get; init; } = [];

    /// <summary>The number of value fields. At most one is allowed.</summary>
    internal int ValueCount => BitOperations.PopCount((uint)(_present & ValueFields));

    /// <summary>
    /// Whether the record has only base fields and so no measurement, as in section 5.1.7. An extension counts as the value, unless the
    /// record sets a base value or base sum, which may be all that it is for.
    /// </summary>
    internal bool HasBaseFieldsOnly =>
        (_present & ~(BaseFields | IgnoredValue)) == 0 && (!HasUnknownValue || BaseValue.HasValue || BaseSum.HasValue);

    /// <summary>Whether the record has a field of RFC 8428.</summary>
    internal bool HasKnownField => (_present & ~IgnoredValue) != 0;

    /// <summary>
    /// Whether the record has a field that RFC 8428 does not define, and that is not a base field. It may be its value: LwM2M has "vlo", and
    /// section 12.2 foresees more of them.
    /// </summary>
    internal bool HasUnknownValue => HasIgnoredValue || HasExtensionOfValue();

    /// <summary>Whether such a field is all that makes the record more than base fields.</summary>
    internal bool HasOnlyUnknownValue => (_present & ~(BaseFields | IgnoredValue)) == 0 && HasUnknownValue;

    /// <summary>Whether such a field was skipped when the record was read.</summary>
    internal bool HasIgnoredValue
    {
        get => (_present & IgnoredValue) != 0;
        set => _present = value ? _present | IgnoredValue : _present & ~IgnoredValue;
    }

    /// <summary>Whether the record has no field.</summary>
    internal bool IsEmpty => _present == 0 && Extensions.Count == 0;

    /// <inheritdoc/>
    public bool Equals(SenmlRecord? other)
    {
        if (other is null) { return false; }
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (ValueOf(label) != other.ValueOf(label)) { return false; }
        }
        return Extensions.SequenceEqual(other.Extensions);
    }

    /// <inheritdoc/>
    public override int GetHashCode() => SeededComparer<(string?, double?, string?, string?, double?, string?, bool?, double?)>.Default
        .GetHashCode((BaseName, BaseTime, Name, Unit, Value, TextValue, BooleanValue, Time));

    /// <summary>Returns the fields by their labels.</summary>
    public override string ToString()
    {
        var text = new StringBuilder();
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (ValueOf(label) is { } value) { text.Append(SenmlLabels.NameOf(label)).Append('=').Append(value).Append(' '); }
        }
        foreach (var extension in Extensions) { text.Append(extension.Label).Append('=').Append(extension.Value).Append(' '); }
        return text.ToString().TrimEnd();
    }

    /// <summary>Whether a field applies to the records after it, too (RFC 8428, section 12.2).</summary>
    internal static bool IsBase(SenmlExtension extension) => extension.Label.StartsWith('b');

    /// <summary>Returns the value of a field, or <see langword="null"/> if the record does not have it.</summary>
    internal SenmlValue? ValueOf(SenmlLabel label)
    {
        if (!Has(label)) { return null; }
        return SenmlLabels.KindOf(label) switch
        {
            SenmlValueKind.Number => new SenmlValue(_numbers[SenmlLabels.PlaceOf(label)]),
            SenmlValueKind.Text => new SenmlValue(_texts[SenmlLabels.PlaceOf(label)]!),
            SenmlValueKind.Boolean => new SenmlValue(_boolean),
            _ => new SenmlValue(_data),
        };
    }

    // Only initializers, and readers before they return the record, set fields.
    internal void Set(SenmlLabel label, double? value)
    {
        Mark(label, value.HasValue);
        _numbers[SenmlLabels.PlaceOf(label)] = value ?? 0;
    }

    internal void Set(SenmlLabel label, string? value)
    {
        Mark(label, value is not null);
        _texts[SenmlLabels.PlaceOf(label)] = value;
    }

    internal void Set(bool? value)
    {
        Mark(SenmlLabel.BooleanValue, value.HasValue);
        _boolean = value ?? false;
    }

    internal void Set(ReadOnlyMemory<byte>? value)
    {
        Mark(SenmlLabel.DataValue, value.HasValue);
        _data = value ?? default;
    }

    private bool HasExtensionOfValue()
    {
        for (var i = 0; i < Extensions.Count; i++)
        {
            if (!IsBase(Extensions[i])) { return true; }
        }
        return false;
    }

    private bool Has(SenmlLabel label) => (_present & (1 << (int)label)) != 0;

    private void Mark(SenmlLabel label, bool isPresent) => _present = isPresent ? _present | (1 << (int)label) : _present & ~(1 << (int)label);

    private double? NumberOf(SenmlLabel label) => Has(label) ? _numbers[SenmlLabels.PlaceOf(label)] : null;

    private string? TextOf(SenmlLabel label) => _texts[SenmlLabels.PlaceOf(label)];

    [InlineArray(SenmlLabels.NumberCount)]
    private struct Numbers
    {
        private double _first;
    }

    [InlineArray(SenmlLabels.TextCount)]
    private struct Texts
    {
        private string? _first;
    }
}
