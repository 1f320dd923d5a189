using CoAP.Options;
using CoAP.Reliability;

namespace CoAP.Blockwise;

/// <summary>A response body that the client fetches in blocks (RFC 7959, section 2.4).</summary>
/// <param name="key">The key of the request.</param>
/// <param name="code">The code of the response.</param>
/// <param name="options">Its options without those of the transfer.</param>
/// <param name="bytes">The whole body, which is not copied.</param>
internal sealed class ResponseBody(in BodyKey key, CoapCode code, OptionSet options, ReadOnlyMemory<byte> bytes) : IDeadline
{
    public BodyKey Key { get; } = key;

    public CoapCode Code => code;

    public OptionSet Options => options;

    public ReadOnlyMemory<byte> Bytes => bytes;

    /// <summary>Whether the handler can create the body again, because the method is safe.</summary>
    public bool IsSafe { get; init; }

    /// <summary>The hash of the request payload, see <see cref="BodyKey.HashOf"/>.</summary>
    public ulong RequestHash { get; init; }

    /// <summary>The node in the list of safe bodies of the account; <see langword="null"/> if the body is not safe.</summary>
    public LinkedListNode<ResponseBody>? Place { get; set; }

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }
}
