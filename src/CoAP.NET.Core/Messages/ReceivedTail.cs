using CoAP.Options;

namespace CoAP;

/// <summary>The options and the payload of a received message. The memory starts with the first option.</summary>
internal readonly ref struct ReceivedTail
{
    public required ReadOnlyMemory<byte> Memory { get; init; }

    public required int OptionsLength { get; init; }

    public required int PayloadOffset { get; init; }

    /// <summary>The options that occur, see <see cref="OptionSet.Seen"/>; 0 if there are none.</summary>
    public required ulong Seen { get; init; }

    public required OptionSpace Space { get; init; }
}
