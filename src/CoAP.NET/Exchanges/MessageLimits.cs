using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Exchanges;

/// <summary>The limits of the messages on a channel.</summary>
/// <param name="MaxSize">The largest message, in bytes.</param>
/// <param name="IsReliable">Whether the transport is reliable.</param>
/// <param name="SupportsBert">Whether the peer accepts several blocks in one message (RFC 8323, section 6).</param>
internal readonly record struct MessageLimits(int MaxSize, bool IsReliable, bool SupportsBert)
{
    /// <summary>Returns the size of a message, in bytes.</summary>
    /// <param name="options">The options.</param>
    /// <param name="payload">The length of the payload, in bytes.</param>
    /// <param name="isReliable">Whether the transport is reliable.</param>
    /// <param name="token">The length of the token, in bytes.</param>
    public static long SizeOf(in OptionSet options, int payload, bool isReliable, int token = Token.InlineLength)
    {
        var tail = options.Wire.Length + (payload == 0 ? 0L : 1L + payload);
        return (isReliable ? StreamHeader.GetLength(tail) : DatagramHeader.Length) + TokenFormat.ExtendedLength(token) + token + tail;
    }
}
