namespace CoAP.FormatComparison.Model;

/// <summary>A value of the source document's model (section 5.1): a primitive, a list, or a pair of a key and a value.</summary>
internal abstract record Datum
{
    /// <summary>The size of the primitives and keys in memory, in bytes (source document, table 1).</summary>
    public abstract long RawBytes { get; }

    /// <summary>Whether a deserialized value is this one.</summary>
    /// <remarks>
    /// Most formats do not distinguish integers of 32 bits from those of 64 bits, and JSON writes the number 3.0 as an integer. So a number matches
    /// if it is exactly the same number in the precision of the original.
    /// </remarks>
    public abstract bool Matches(Datum other);
}

internal sealed record BooleanDatum(bool Value) : Datum
{
    public override long RawBytes => 1;

    public override bool Matches(Datum other) => other is BooleanDatum { Value: var value } && value == Value;
}

internal sealed record Int32Datum(int Value) : Datum
{
    public override long RawBytes => sizeof(int);

    public override bool Matches(Datum other) => Numbers.IsInteger(other, Value);
}

internal sealed record Int64Datum(long Value) : Datum
{
    public override long RawBytes => sizeof(long);

    public override bool Matches(Datum other) => Numbers.IsInteger(other, Value);
}

internal sealed record SingleDatum(float Value) : Datum
{
    public override long RawBytes => sizeof(float);

    public override bool Matches(Datum other) => Numbers.ToDouble(other) is { } number && (float)number == Value;
}

internal sealed record DoubleDatum(double Value) : Datum
{
    public override long RawBytes => sizeof(double);

    public override bool Matches(Datum other) => Numbers.ToDouble(other) is { } number && number == Value;
}

internal sealed record TextDatum(string Value) : Datum
{
    // The generators use ASCII: one byte for each character.
    public override long RawBytes => Value.Length;

    public override bool Matches(Datum other) => other is TextDatum { Value: var value } && value == Value;
}

internal sealed record ListDatum(Datum[] Items) : Datum
{
    public override long RawBytes => Items.Sum(static item => item.RawBytes);

    public override bool Matches(Datum other)
    {
        if (other is not ListDatum { Items: var items } || items.Length != Items.Length) { return false; }
        for (var at = 0; at < items.Length; at++)
        {
            if (!Items[at].Matches(items[at])) { return false; }
        }
        return true;
    }
}

internal sealed record PairDatum(string Key, Datum Value) : Datum
{
    public override long RawBytes => Key.Length + Value.RawBytes;

    public override bool Matches(Datum other) => other is PairDatum pair && pair.Key == Key && Value.Matches(pair.Value);
}
