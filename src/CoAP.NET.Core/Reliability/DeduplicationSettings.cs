using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The memory of a lane for received messages and answers, which is used to recognize duplicates (RFC 7252, section 4.5).</summary>
/// <remarks>
/// The memory is reserved once per lane, and the system provides it as it is used. If it is full, the oldest answers to GET and FETCH are dropped
/// first, then those to PUT, DELETE and iPATCH, and those to POST and PATCH last. Peers with a verified address fill at most three
/// quarters; an answer to another peer, whose address may be forged, never replaces one of theirs. Immutable and safe for concurrent use.
/// </remarks>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record DeduplicationSettings
{
    /// <summary>The number of received messages that are stored, at about 120 bytes each. Default: 262,144; 16 to 16,777,216.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 16 or more than 16,777,216.</exception>
    public int Capacity { get; init => field = Bound.Within(value, 16, 16_777_216); } = 262_144;

    /// <summary>The number of bytes for retained answers, in cells of 32. Default: 8 MiB; 1,024 to 1 GiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1,024 or more than 1 GiB.</exception>
    public int AnswerBufferSize { get; init => field = Bound.Within(value, 1024, 1 << 30); } = 8 << 20;

    /// <summary>The longest answer that is retained, in bytes. Default: 4,096; 4 to 65,535.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 4 or more than 65,535.</exception>
    public int MaxAnswerSize { get; init => field = Bound.Within(value, 4, 65_535); } = 4096;
}
