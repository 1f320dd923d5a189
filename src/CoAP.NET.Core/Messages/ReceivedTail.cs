using CoAP.Options;

namespace CoAP;

/// <summary>Where options and payload of a received message stand in its memory, which begins with the first option.</summary>
internal readonly ref struct ReceivedTail
{
    public required ReadOnlyMemory<byte> Memory { get; init; }

    public required int OptionsLength { get; init; }

    public required int PayloadOffset { get; init; }

    /// <summary>See <see cref="OptionSet.Seen"/>; 0 where there are no options.</summary>
    public required ulong Seen { get; init; }

    public required OptionSpace Space { get; init; }
}
