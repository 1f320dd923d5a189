namespace CoAP.Formats;

/// <summary>Evaluates the records of a stream one after another: keeps the base fields, and returns what each record means.</summary>
/// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
/// <remarks>For a pack, use <see cref="SenmlPack.ToMeasurements(DateTimeOffset, bool, SenmlSettings)"/>. Not safe for concurrent use.</remarks>
public sealed class SenmlResolver(SenmlSettings? settings = null)
{
    private readonly SenmlScope _scope = new(settings ?? SenmlSettings.Default);
    private long _number;

    /// <summary>Returns what the next record means, or <see langword="null"/> if it has only base fields.</summary>
    /// <param name="record">The record that follows the one of the call before.</param>
    /// <param name="now">The time to which a relative time refers: in a stream, when the record was sent (RFC 8428, section 4.8).</param>
    /// <exception cref="CoapPayloadException">The record breaks a rule of RFC 8428.</exception>
    public SenmlMeasurement? ToMeasurement(SenmlRecord record, DateTimeOffset now)
    {
        ArgumentNullException.ThrowIfNull(record);
        _number++;
        if (_scope.Enter(record) is { } wrong) { throw new CoapPayloadException($"Record {_number}: {wrong}."); }
        if (record.HasBaseFieldsOnly) { return null; }
        var time = SenmlTime.ToTime(_scope.TimeOf(record), now, out var timeOutOfRange);
        TimeSpan? period = record.UpdateTime is { } seconds ? SenmlTime.ToPeriod(seconds) : null;
        return new SenmlMeasurement(_scope.NameOf(record), time, ValueOf(record))
        {
            Unit = _scope.UnitOf(record),
            Sum = _scope.SumOf(record),
            TimeOutOfRange = timeOutOfRange,
            UpdateTime = period,
            UpdateTimeOutOfRange = period is null ? record.UpdateTime : null,
        };
    }

    private SenmlValue? ValueOf(SenmlRecord record)
    {
        if (record.TextValue is { } text) { return text; }
        if (record.BooleanValue is { } boolean) { return boolean; }
        if (record.DataValue is { } data) { return data; }
        return _scope.NumberOf(record) is { } number ? new SenmlValue(number) : (SenmlValue?)null;
    }
}
