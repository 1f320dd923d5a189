namespace CoAP.FormatComparison.Model;

/// <summary>Compares the numbers of the model across their types.</summary>
internal static class Numbers
{
    public static bool IsInteger(Datum datum, long value) => datum switch
    {
        Int32Datum number => number.Value == value,
        Int64Datum number => number.Value == value,
        _ => false,
    };

    public static double? ToDouble(Datum datum) => datum switch
    {
        Int32Datum number => number.Value,
        Int64Datum number => number.Value,
        SingleDatum number => number.Value,
        DoubleDatum number => number.Value,
        _ => null,
    };

    /// <summary>Returns the integer in the shorter of the two types, because most formats do not name the type.</summary>
    public static Datum FromInteger(long value) => value is >= int.MinValue and <= int.MaxValue ? new Int32Datum((int)value) : new Int64Datum(value);
}
