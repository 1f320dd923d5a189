namespace CoAP.Formats;

/// <summary>Turns measurements into records that share base fields.</summary>
/// <remarks>Base values are not used: base value and value added may differ from the number in the last bit.</remarks>
internal static class SenmlSeries
{
    // What a base field costs in JSON besides its content: "bn":"",
    private const int FieldCost = 8;

    public static SenmlPack Compress(SenmlMeasurement[] measurements)
    {
        if (measurements.Length == 0) { throw new ArgumentException("There is no measurement; a pack requires at least 1.", nameof(measurements)); }
        var prefix = PrefixOf(measurements);
        var (unit, unitStart) = UnitOf(measurements);
        var hasBaseTime = measurements.Length > 1 && Array.TrueForAll(measurements, one => one.TimeOutOfRange is null);
        DateTimeOffset? start = hasBaseTime ? BaseTimeOf(measurements) : null;
        var usesSecondaryUnits = measurements.Any(measurement => measurement.Unit is { } name && SenmlSecondaryUnits.IsSecondary(name));

        var scope = new SenmlScope(SenmlSettings.Default with { AllowsAnyName = true, MaxNameLength = int.MaxValue });
        var pack = new SenmlPack();
        for (var i = 0; i < measurements.Length; i++)
        {
            var record = RecordOf(measurements[i], i, prefix, start, i >= unitStart ? unit : null) with
            {
                BaseName = i == 0 && prefix.Length > 0 ? prefix : null,
                BaseTime = i == 0 && start is { } time ? SenmlTime.ToSeconds(time) : null,
                BaseUnit = i == unitStart ? unit : null,
                BaseVersion = i == 0 && usesSecondaryUnits ? SenmlScope.SecondaryUnitsVersion : null,
            };
            if (scope.Enter(record) is { } wrong) { throw new ArgumentException($"Measurement {i + 1}: {wrong}.", nameof(measurements)); }
            pack.Add(record);
        }
        return pack;
    }

    private static SenmlRecord RecordOf(SenmlMeasurement measurement, int index, string prefix, DateTimeOffset? start, string? unit)
    {
        var seconds = measurement.TimeOutOfRange ?? SenmlTime.ToSeconds(measurement.Time);
        if (!(seconds >= SenmlTime.FirstAbsolute))
        {
            throw new ArgumentException(
                $"Measurement {index + 1} has the time {measurement.Time:O}; 1978-07-04 21:24:16 UTC is the first one (RFC 8428, section 4.5.3).");
        }
        if (measurement.UpdateTime < TimeSpan.Zero)
        {
            throw new ArgumentException($"Measurement {index + 1} has the update time {measurement.UpdateTime}; it must not be negative.");
        }
        var name = measurement.Name[prefix.Length..];
        var time = start is { } first ? SenmlTime.Between(first, measurement.Time) : seconds;
        var value = measurement.Value;
        return new SenmlRecord
        {
            Name = name.Length > 0 ? name : null,
            Unit = measurement.Unit == unit ? null : measurement.Unit,
            Time = time == 0 ? null : time,
            Value = value is { Kind: SenmlValueKind.Number } ? value.Value.Number : null,
            TextValue = value is { Kind: SenmlValueKind.Text } ? value.Value.Text : null,
            BooleanValue = value is { Kind: SenmlValueKind.Boolean } ? value.Value.Boolean : null,
            DataValue = value is { Kind: SenmlValueKind.Data } ? (ReadOnlyMemory<byte>?)value.Value.Data : null,
            Sum = measurement.Sum,
            UpdateTime = measurement.UpdateTimeOutOfRange ?? measurement.UpdateTime?.TotalSeconds,
        };
    }

    // The first time, because the differences to it are often whole seconds. If sums with it are not exact enough, the whole second before it.
    private static DateTimeOffset BaseTimeOf(SenmlMeasurement[] measurements)
    {
        var start = measurements[0].Time;
        var seconds = SenmlTime.ToSeconds(start);
        return Array.TrueForAll(measurements, one => IsExact(one.Time)) ? start : DateTimeOffset.FromUnixTimeSeconds((long)Math.Floor(seconds));

        bool IsExact(DateTimeOffset time) =>
            SenmlTime.ToTime(seconds + SenmlTime.Between(start, time), start, out _)
                == SenmlTime.ToTime(SenmlTime.ToSeconds(time), start, out _);
    }

    // The longest beginning that all names share, if it makes the pack smaller.
    private static string PrefixOf(SenmlMeasurement[] measurements)
    {
        var prefix = measurements[0].Name.AsSpan();
        foreach (var measurement in measurements) { prefix = prefix[..prefix.CommonPrefixLength(measurement.Name)]; }
        return prefix.Length * (measurements.Length - 1) > FieldCost ? prefix.ToString() : "";
    }

    // The most frequent unit, and the record from which on it is the base unit: after the last record without a unit, which would inherit it.
    private static (string? Unit, int Start) UnitOf(SenmlMeasurement[] measurements)
    {
        var start = Array.FindLastIndex(measurements, measurement => measurement.Unit is null) + 1;
        var best = measurements[start..].GroupBy(measurement => measurement.Unit, StringComparer.Ordinal).MaxBy(group => group.Count());
        return best is not null && best.Count() > 1 ? (best.Key, start) : (null, start);
    }
}
