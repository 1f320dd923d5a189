namespace CoAP.Interop.Tests.Trimming;

/// <summary>A value that a client sends and a server returns.</summary>
internal sealed record ExchangedReading
{
    public required string Id { get; init; }

    public required int Sequence { get; init; }

    public required DateTimeOffset Time { get; init; }

    public double? Temperature { get; init; }

    public override string ToString() => FormattableString.Invariant($"{Id} {Sequence} {Time:O} {Temperature}");
}
