namespace CoAP.Formats;

/// <summary>Collects the fields of received records, whatever their encoding is, and enforces the rules of RFC 8428.</summary>
/// <remarks>One builder serves all records of a pack or stream, because the base fields of a record apply to those after it.</remarks>
internal sealed class SenmlRecordBuilder(PayloadLimits limits, SenmlSettings settings)
{
    /// <summary>Stands for the offset if the encoding does not report one.</summary>
    public const long UnknownOffset = -1;

    private readonly SenmlScope _scope = new(settings);
    private readonly SenmlUnknownFields _unknown = new(settings);
    private SenmlRecord _record = new();
    private bool _hasField;
    private bool _isTimeAbsolute;
    private int _seen;
    private long _offset;

    /// <summary>The number of the current record, from 1.</summary>
    public long Number { get; private set; }

    /// <summary>The offset in a stream to which the offsets of the current record are relative. 0 in a pack.</summary>
    public long Start { get; set; }

    /// <summary>Begins the next record of a pack.</summary>
    /// <param name="offset">The offset of the record in bytes, for error messages.</param>
    public void Begin(long offset)
    {
        if (Number >= settings.MaxRecords)
        {
            throw new CoapPayloadException($"The pack has more than {settings.MaxRecords} records (at byte {offset}).", offset);
        }
        BeginInStream(offset);
    }

    /// <summary>Begins the next record of a stream, in which the number of records is not bounded.</summary>
    public void BeginInStream(long offset)
    {
        Number++;
        _offset = offset;
        _seen = 0;
        _hasField = false;
        _isTimeAbsolute = false;
        _unknown.Begin();
        _record = new SenmlRecord();
    }

    /// <summary>Takes the label of the next field.</summary>
    public SenmlLabel Accept(ReadOnlySpan<byte> name, long offset)
    {
        _hasField = true;
        var label = SenmlLabels.Find(name);
        if (label != SenmlLabel.Unknown) { AcceptKnown(label, offset); }
        else if (_unknown.Accept(name) is { } wrong) { throw Error(wrong, offset); }
        return label;
    }

    /// <summary>Takes the integer label of the next field (RFC 8428, section 6). Unknown ones are ignored.</summary>
    public SenmlLabel Accept(long number, long offset)
    {
        _hasField = true;
        var label = SenmlLabels.Find(number);
        if (label != SenmlLabel.Unknown) { AcceptKnown(label, offset); }
        else { _unknown.Accept(number); }
        return label;
    }

    /// <summary>Sets a field that is a number.</summary>
    public void Set(SenmlLabel label, double value, long offset)
    {
        if (!double.IsFinite(value)) { throw Error($"field '{SenmlLabels.NameOf(label)}' is not a finite number", offset); }
        if (label == SenmlLabel.BaseVersion && !(value is >= 1 and <= int.MaxValue && value == Math.Truncate(value)))
        {
            throw Error($"field 'bver' is {value}; a positive integer is required", offset);
        }
        _record.Set(label, value);
    }

    /// <summary>Sets a time that the payload marks as an absolute one. SenML must mean the same by it.</summary>
    public void SetAbsolute(SenmlLabel label, double seconds, long offset)
    {
        if (!(seconds >= SenmlTime.FirstAbsolute))
        {
            throw Error(
                $"field '{SenmlLabels.NameOf(label)}' has tag 1 and is {seconds}; tag 1 says that a time is absolute, "
                + "and below 2^28 it is relative (RFC 8428, section 4.5.3)",
                offset);
        }
        _isTimeAbsolute |= label == SenmlLabel.Time;
        Set(label, seconds, offset);
    }

    /// <summary>Sets a field that is a text.</summary>
    public void Set(SenmlLabel label, string value) => _record.Set(label, value);

    /// <summary>Sets the Boolean value.</summary>
    public void Set(bool value) => _record.Set(value);

    /// <summary>Sets the data value.</summary>
    public void Set(byte[] value) => _record.Set((ReadOnlyMemory<byte>)value);

    /// <summary>Whether the value of the unknown field whose label was accepted last is worth reading. Otherwise, skip it.</summary>
    public bool WantsExtension => _unknown.IsWanted;

    /// <summary>Sets the value of the unknown field whose label was accepted last. A field that could not be written is ignored.</summary>
    public void SetExtension(SenmlValue value) => _unknown.Keep(value);

    /// <summary>Ends the record and checks it.</summary>
    public SenmlRecord End()
    {
        if (!_hasField) { throw Error("it has no field", _offset); }
        _record.HasIgnoredValue = _unknown.HasValue;
        var extensions = _unknown.Kept;
        var record = extensions.Count == 0 ? _record : _record with { Extensions = extensions };
        if (_scope.Enter(record) is { } wrong) { throw Error(wrong, _offset); }
        if (_isTimeAbsolute && _scope.TimeOf(record) != record.Time)
        {
            throw Error("field 't' has tag 1, which says that a time is absolute, but there is a base time", _offset);
        }
        return record;
    }

    /// <summary>Whether a label that this reader does not know may be ignored (RFC 8428, section 4.4), or the settings name it.</summary>
    public bool IsUnderstood(string label) => _unknown.IsUnderstood(label);

    /// <summary>Checks whether a label may be ignored.</summary>
    /// <exception cref="CoapPayloadException">It must be understood.</exception>
    public void ThrowIfNotUnderstood(string label, long offset)
    {
        if (!IsUnderstood(label)) { throw Error(SenmlUnknownFields.NotUnderstood(label), offset); }
    }

    /// <summary>Whether a text or bytes may have a length.</summary>
    public bool IsWithinLimit(int length) => length <= limits.MaxLength;

    /// <summary>Checks the length of a text or of bytes in a field of RFC 8428.</summary>
    public void CheckLength(SenmlLabel label, int length, long offset)
    {
        if (IsWithinLimit(length)) { return; }
        throw Error($"field '{SenmlLabels.NameOf(label)}' has {length} bytes; at most {limits.MaxLength} are allowed", offset);
    }

    /// <summary>Creates the error for a field with the wrong type.</summary>
    public CoapPayloadException WrongType(SenmlLabel label, string found, long offset) =>
        Error($"field '{SenmlLabels.NameOf(label)}' is {found}; {SenmlValue.Describe(SenmlLabels.KindOf(label))} is required", offset);

    /// <summary>Creates the error for the current record.</summary>
    public CoapPayloadException Error(string message, long offset) => offset == UnknownOffset
        ? new CoapPayloadException($"Record {Number}: {message}.")
        : new CoapPayloadException($"Record {Number}: {message} (at byte {Start + offset}).", Start + offset);

    private bool Has(SenmlLabel label) => (_seen & (1 << (int)label)) != 0;

    private void AcceptKnown(SenmlLabel label, long offset)
    {
        if (Has(label)) { throw Error($"field '{SenmlLabels.NameOf(label)}' occurs twice", offset); }
        _seen |= 1 << (int)label;
    }
}
