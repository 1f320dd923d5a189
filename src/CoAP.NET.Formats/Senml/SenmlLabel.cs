namespace CoAP.Formats;

/// <summary>The fields of a record, in the order in which they are written, which is that of the examples of RFC 8428.</summary>
internal enum SenmlLabel
{
    BaseName,
    BaseTime,
    BaseUnit,
    BaseValue,
    BaseSum,
    BaseVersion,
    Name,
    Unit,
    Time,
    Value,
    TextValue,
    BooleanValue,
    DataValue,
    Sum,
    UpdateTime,
    Unknown,
}
