namespace CoAP.Benchmarks.Load;

/// <summary>A typical reading of a device.</summary>
internal sealed record Reading
{
    /// <summary>The reading that is sent in each request.</summary>
    public static Reading Sample { get; } = new()
    {
        Id = "urn:dev:ow:10e2073a01080063",
        Sequence = 184_211,
        Time = new DateTimeOffset(2026, 3, 14, 9, 26, 53, 250, TimeSpan.Zero),
        Temperature = 22.375,
        Humidity = 46.82,
        Pressure = 1013.27,
    };

    public required string Id { get; init; }

    public required int Sequence { get; init; }

    public required DateTimeOffset Time { get; init; }

    /// <summary>Degrees Celsius.</summary>
    public required double Temperature { get; init; }

    /// <summary>Percent.</summary>
    public required double Humidity { get; init; }

    /// <summary>Hectopascals.</summary>
    public required double Pressure { get; init; }
}
