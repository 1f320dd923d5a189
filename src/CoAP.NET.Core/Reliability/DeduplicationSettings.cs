namespace CoAP;

/// <summary>How much of what was received and answered a lane keeps, so that duplicates are recognized (RFC 7252, section 4.5).</summary>
/// <remarks>
/// The memory is reserved once per lane and taken from the system only as it is used. When it is full, the oldest answers to GET and
/// FETCH go first, then those to PUT, DELETE and iPATCH, those to POST and PATCH last. Immutable, safe for concurrent use.
/// </remarks>
public sealed record DeduplicationSettings
{
    /// <summary>How many received messages are remembered, at about 120 bytes each. 262,144 by default, 16 to 16,777,216.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 16 or more than 16,777,216.</exception>
    public int Capacity { get; init => field = Bound.Within(value, 16, 16_777_216); } = 262_144;

    /// <summary>How many bytes hold retained answers, in cells of 32. 8 MiB by default, 1,024 to 1 GiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1,024 or more than 1 GiB.</exception>
    public int AnswerBytes { get; init => field = Bound.Within(value, 1024, 1 << 30); } = 8 << 20;

    /// <summary>The longest answer that is retained, in bytes. 4,096 by default, 4 to 65,535.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4 or more than 65,535.</exception>
    public int MaxAnswerSize { get; init => field = Bound.Within(value, 4, 65_535); } = 4096;
}
