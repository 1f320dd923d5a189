using System.Collections;

namespace CoAP.Formats;

/// <summary>A list of SenML records: measurements, or parameters to set (RFC 8428).</summary>
/// <remarks>
/// <para>Create a pack of records with a collection initializer, or of measurements with <see cref="Of"/>. <see cref="SenmlJsonFormat"/> and
/// <see cref="SenmlCborFormat"/> write and read packs.</para>
/// <para>Safe for concurrent reading.</para>
/// </remarks>
public sealed class SenmlPack : IReadOnlyList<SenmlRecord>
{
    private readonly List<SenmlRecord> _records = [];

    /// <summary>Creates a pack without records. It cannot be written before records are added.</summary>
    public SenmlPack()
    {
    }

    /// <summary>Creates a pack of records.</summary>
    public SenmlPack(IEnumerable<SenmlRecord> records)
    {
        ArgumentNullException.ThrowIfNull(records);
        foreach (var record in records) { Add(record); }
    }

    /// <summary>The number of records.</summary>
    public int Count => _records.Count;

    /// <summary>The record at an index from 0. Error messages count records from 1, as RFC 8428, section 9 does.</summary>
    public SenmlRecord this[int index] => _records[index];

    /// <summary>Creates a pack of measurements. What they have in common becomes base fields, so that the pack is small.</summary>
    /// <param name="measurements">The measurements. Their order is kept.</param>
    /// <exception cref="ArgumentException">
    /// There is no measurement, a time is before 1978-07-04 21:24:16 UTC, or a measurement has neither a value nor a sum.
    /// </exception>
    public static SenmlPack Of(IEnumerable<SenmlMeasurement> measurements)
    {
        ArgumentNullException.ThrowIfNull(measurements);
        return SenmlSeries.Compress([.. measurements]);
    }

    /// <summary>Appends a record.</summary>
    public void Add(SenmlRecord record)
    {
        ArgumentNullException.ThrowIfNull(record);
        _records.Add(record);
    }

    /// <summary>Returns the records without base fields, with full names and absolute times (RFC 8428, section 4.6).</summary>
    /// <param name="now">The time to which relative times refer, such as the time at which the pack was received.</param>
    /// <param name="isSorted">Whether the records are sorted by time, as the RFC requires of resolved records.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <remarks>Records with base fields only are left out, as are base fields that RFC 8428 does not define.</remarks>
    /// <exception cref="CoapPayloadException">A record breaks a rule of RFC 8428, or its time is before 1978-07-04 21:24:16 UTC.</exception>
    public SenmlPack Resolve(DateTimeOffset now, bool isSorted = true, SenmlSettings? settings = null)
    {
        var records = new List<SenmlRecord>(_records.Count);
        var start = SenmlTime.ToSeconds(now);
        foreach (var (record, scope, number) in Enter(settings)) { records.Add(Resolve(record, scope, number, start)); }
        return new SenmlPack(isSorted ? records.OrderBy(record => record.Time) : records);
    }

    /// <summary>Returns the records without base fields, with full names and absolute times (RFC 8428, section 4.6).</summary>
    /// <param name="time">The clock that gives the time to which relative times refer.</param>
    /// <param name="isSorted">Whether the records are sorted by time, as the RFC requires of resolved records.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <inheritdoc cref="Resolve(DateTimeOffset, bool, SenmlSettings)"/>
    public SenmlPack Resolve(TimeProvider time, bool isSorted = true, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(time);
        return Resolve(time.GetUtcNow(), isSorted, settings);
    }

    /// <summary>Returns what the records mean: measurements with full names and absolute times.</summary>
    /// <param name="now">The time to which relative times refer, such as the time at which the pack was received.</param>
    /// <param name="isSorted">Whether the measurements are sorted by time.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <exception cref="CoapPayloadException">A record breaks a rule of RFC 8428.</exception>
    public IReadOnlyList<SenmlMeasurement> ToMeasurements(DateTimeOffset now, bool isSorted = true, SenmlSettings? settings = null)
    {
        var measurements = new List<SenmlMeasurement>(_records.Count);
        var resolver = new SenmlResolver(settings);
        foreach (var record in _records)
        {
            if (resolver.ToMeasurement(record, now) is { } measurement) { measurements.Add(measurement); }
        }
        if (!isSorted || IsInOrder(measurements)) { return measurements; }
        return [.. measurements.OrderBy(measurement => measurement.Time).ThenBy(measurement => measurement.TimeOutOfRange)];
    }

    /// <summary>Returns what the records mean: measurements with full names and absolute times.</summary>
    /// <param name="time">The clock that gives the time to which relative times refer.</param>
    /// <param name="isSorted">Whether the measurements are sorted by time.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <exception cref="CoapPayloadException">A record breaks a rule of RFC 8428.</exception>
    public IReadOnlyList<SenmlMeasurement> ToMeasurements(TimeProvider time, bool isSorted = true, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(time);
        return ToMeasurements(time.GetUtcNow(), isSorted, settings);
    }

    /// <inheritdoc/>
    public IEnumerator<SenmlRecord> GetEnumerator() => _records.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => _records.GetEnumerator();

    /// <summary>Returns the records, one a line.</summary>
    public override string ToString() => string.Join('\n', _records);

    private static bool IsInOrder(List<SenmlMeasurement> measurements)
    {
        for (var i = 1; i < measurements.Count; i++)
        {
            var (before, after) = (measurements[i - 1], measurements[i]);
            if (after.Time < before.Time || (after.Time == before.Time && after.TimeOutOfRange < before.TimeOutOfRange)) { return false; }
        }
        return true;
    }

    // The records that are measurements, each with the base fields in effect.
    private IEnumerable<(SenmlRecord Record, SenmlScope Scope, int Number)> Enter(SenmlSettings? settings)
    {
        var scope = new SenmlScope(settings ?? SenmlSettings.Default);
        for (var i = 0; i < _records.Count; i++)
        {
            if (scope.Enter(_records[i]) is { } wrong) { throw new CoapPayloadException($"Record {i + 1}: {wrong}."); }
            if (!_records[i].HasBaseFieldsOnly) { yield return (_records[i], scope, i + 1); }
        }
    }

    private static SenmlRecord Resolve(SenmlRecord record, SenmlScope scope, int number, double now)
    {
        var time = scope.TimeOf(record);
        var absolute = time < SenmlTime.FirstAbsolute ? now + time : time;
        if (absolute < SenmlTime.FirstAbsolute)
        {
            throw new CoapPayloadException(
                $"Record {number}: the time {absolute} s cannot be an absolute one; 2^28 or more is required (RFC 8428, section 4.5.3).");
        }
        return new SenmlRecord
        {
            BaseVersion = scope.Version == SenmlScope.DefaultVersion ? null : scope.Version,
            Name = scope.NameOf(record),
            Unit = scope.UnitOf(record),
            Time = absolute,
            Value = scope.NumberOf(record),
            TextValue = record.TextValue,
            BooleanValue = record.BooleanValue,
            DataValue = record.DataValue,
            Sum = scope.SumOf(record),
            UpdateTime = record.UpdateTime,
            Extensions = record.Extensions.Count == 0 ? record.Extensions : [.. record.Extensions.Where(extension => !SenmlRecord.IsBase(extension))],
        };
    }
}
