using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>A response's body of which the client fetches blocks (RFC 7959, section 2.4).</summary>
/// <param name="key">Which request it answers.</param>
/// <param name="code">The response's code.</param>
/// <param name="options">Its options, those of the transfer left out.</param>
/// <param name="bytes">The whole body; not copied.</param>
internal sealed class ResponseBody(in BodyKey key, CoapCode code, OptionSet options, ReadOnlyMemory<byte> bytes) : IDeadline
{
    public BodyKey Key { get; } = key;

    public CoapCode Code => code;

    public OptionSet Options => options;

    public ReadOnlyMemory<byte> Bytes => bytes;

    /// <summary>Whether asking the handler again would give it again, because the method is safe.</summary>
    public bool IsSafe { get; init; }

    /// <summary>What was asked for in the payload; see <see cref="BodyKey.HashOf"/>.</summary>
    public ulong RequestHash { get; init; }

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }
}
