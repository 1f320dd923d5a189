using CoAP.Serialization;

namespace CoAP.Exchanges;

/// <summary>What the messages of a channel may be.</summary>
/// <param name="MaxSize">The largest message, in bytes.</param>
/// <param name="IsReliable">Whether the transport is reliable.</param>
/// <param name="SupportsBert">Whether the peer takes several blocks in one message (RFC 8323, section 6).</param>
internal readonly record struct MessageLimits(int MaxSize, bool IsReliable, bool SupportsBert)
{
    /// <summary>Returns the size of a message with an ordinary token, in bytes.</summary>
    /// <param name="options">The length of the options on the wire.</param>
    /// <param name="payload">The length of the payload.</param>
    /// <param name="isReliable">Whether the transport is reliable.</param>
    public static long SizeOf(int options, int payload, bool isReliable)
    {
        var tail = options + (payload == 0 ? 0L : 1L + payload);
        return (isReliable ? StreamHeader.GetLength(tail) : DatagramHeader.Length) + Token.InlineLength + tail;
    }
}
