namespace CoAP.Formats;

/// <summary>The base fields in effect at a record, and the rules for records (RFC 8428, section 4), for readers, writers and resolution.</summary>
internal sealed class SenmlScope(SenmlSettings settings)
{
    /// <summary>The version of a pack without a version field.</summary>
    public const int DefaultVersion = 10;

    /// <summary>The version of a pack in which units may be secondary ones: 10 and the feature with code 4 (RFC 9100, section 4).</summary>
    public const int SecondaryUnitsVersion = DefaultVersion + (1 << 4);

    private string _baseName = "";
    private double _baseTime;
    private string? _baseUnit;
    private double? _baseValue;
    private double? _baseSum;
    private int? _version;

    public int Version => _version ?? DefaultVersion;

    /// <summary>Takes over the base fields of a record and checks the record. Returns what is wrong with it, or <see langword="null"/>.</summary>
    public string? Enter(SenmlRecord record)
    {
        if (Check(record.BaseVersion) is { } wrong) { return wrong; }
        if (record.BaseName is { Length: > 0 } baseName && CheckName(baseName, baseName.Length, isStart: true) is { } problem) { return problem; }
        _baseName = record.BaseName ?? _baseName;
        _baseTime = record.BaseTime ?? _baseTime;
        _baseUnit = record.BaseUnit ?? _baseUnit;
        _baseValue = record.BaseValue ?? _baseValue;
        _baseSum = record.BaseSum ?? _baseSum;
        var isFinite = double.IsFinite(_baseTime) && double.IsFinite(_baseValue ?? 0) && double.IsFinite(_baseSum ?? 0);
        if (!isFinite) { return "a base field is not a finite number"; }
        if (!record.HasKnownField && !IsUnderstood(record)) { return NothingKnown(record); }
        return record.HasBaseFieldsOnly ? null : CheckMeasurement(record);
    }

    /// <summary>Returns the full name of the current record.</summary>
    public string NameOf(SenmlRecord record) => string.IsNullOrEmpty(record.Name) ? _baseName : _baseName + record.Name;

    /// <summary>Returns the unit of the current record.</summary>
    public string? UnitOf(SenmlRecord record) => record.Unit ?? _baseUnit;

    /// <summary>Returns base time and time of the current record, added.</summary>
    public double TimeOf(SenmlRecord record) => _baseTime + (record.Time ?? 0);

    /// <summary>Returns the number of the current record; <see langword="null"/> if its value has another kind, or if it has only a sum.</summary>
    public double? NumberOf(SenmlRecord record)
    {
        if (record.Value is { } value) { return (_baseValue ?? 0) + value; }
        return record.ValueCount == 0 && !record.HasOnlyUnknownValue ? _baseValue : null;
    }

    /// <summary>Returns the sum of the current record, or <see langword="null"/> if it has none.</summary>
    public double? SumOf(SenmlRecord record) => record.Sum is null && _baseSum is null ? null : (_baseSum ?? 0) + (record.Sum ?? 0);

    // Section 4.4: all records of a pack have the same version. The lack of the first version field means the default.
    private string? Check(int? version)
    {
        if (version is not { } number)
        {
            _version ??= DefaultVersion;
            return null;
        }
        if (number is <= 0 or > DefaultVersion and not SecondaryUnitsVersion)
        {
            return $"version {number} is not supported; 1 to {DefaultVersion} and {SecondaryUnitsVersion} are (RFC 8428, section 4.4)";
        }
        if (_version is { } before && before != number) { return $"version {number} differs from version {before} of the records before"; }
        _version = number;
        return null;
    }

    private string? CheckMeasurement(SenmlRecord record)
    {
        if (record.ValueCount > 1) { return $"it has {record.ValueCount} values; at most 1 is allowed (RFC 8428, section 4.2)"; }
        var length = _baseName.Length + (record.Name?.Length ?? 0);
        if (length == 0) { return "it has neither a name nor a base name (RFC 8428, section 4.2)"; }
        if (record.Name is { Length: > 0 } name && CheckName(name, length, isStart: _baseName.Length == 0) is { } problem) { return problem; }
        if (!double.IsFinite(TimeOf(record))) { return "the time is not a finite number"; }
        if (!double.IsFinite(record.UpdateTime ?? 0)) { return "the update time is not a finite number"; }
        if (!double.IsFinite(NumberOf(record) ?? 0)) { return "the value is not a finite number"; }
        if (!double.IsFinite(SumOf(record) ?? 0)) { return "the sum is not a finite number"; }
        var hasContent = record.ValueCount > 0 || _baseValue.HasValue || SumOf(record).HasValue || record.HasUnknownValue;
        return hasContent ? null : "it has neither a value nor a sum (RFC 8428, section 4.2)";
    }

    private bool IsUnderstood(SenmlRecord record) => settings.UnderstoodLabels.Count > 0
        && record.Extensions.Any(extension => settings.UnderstoodLabels.Contains(extension.Label));

    // Receivers ignore what they do not know (section 4.4). Here, that is everything.
    private static string NothingKnown(SenmlRecord record)
    {
        if (record.IsEmpty) { return "it has no field"; }
        var unknown = record.Extensions.Count == 0 ? "the unknown ones" : $"'{TextErrors.Quote(record.Extensions[0].Label)}'";
        return $"it has no field that RFC 8428 defines; receivers may ignore {unknown} (section 4.4), which would leave nothing";
    }

    private string? CheckName(string name, int length, bool isStart)
    {
        if (length > settings.MaxNameLength) { return $"the name has {length} characters; at most {settings.MaxNameLength} are allowed"; }
        if (settings.AllowsAnyName) { return null; }
        for (var i = 0; i < name.Length; i++)
        {
            var letter = name[i];
            if (!char.IsAsciiLetterOrDigit(letter) && letter is not ('-' or ':' or '.' or '/' or '_'))
            {
                return $"the name contains U+{(int)letter:X4}; only letters, digits and - : . / _ are allowed (RFC 8428, section 4.5.1)";
            }
        }
        return isStart && !char.IsAsciiLetterOrDigit(name[0])
            ? $"the name begins with '{name[0]}'; a letter or a digit is required (RFC 8428, section 4.5.1)"
            : null;
    }
}
