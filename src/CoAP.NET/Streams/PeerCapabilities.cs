using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>What the peer's CSMs have said (RFC 8323, section 5.3). Written on the lane, for any thread to read.</summary>
internal sealed class PeerCapabilities
{
    private volatile int _maxSize = (int)MaxMessageSize.Default;
    private volatile int _maxTokenLength = Token.InlineLength;
    private volatile bool _supportsBert;
    private volatile bool _areKnown;

    /// <summary>Whether its first CSM is there; until then what everybody takes is assumed.</summary>
    public bool AreKnown => _areKnown;

    /// <summary>The largest message that it takes, in bytes (RFC 8323, section 5.3.1).</summary>
    public int MaxSize => _maxSize;

    /// <summary>The longest token that it takes in requests, in bytes (RFC 8974, section 2.2.1).</summary>
    public int MaxTokenLength => _maxTokenLength;

    public MessageLimits Limits => new(_maxSize, IsReliable: true, _supportsBert);

    /// <summary>It has said something new.</summary>
    public void Take(SignalingMachine signaling)
    {
        _maxSize = (int)Math.Min(signaling.PeerMaxMessageSize, Array.MaxLength);
        _maxTokenLength = signaling.PeerMaxTokenLength;
        _supportsBert = signaling.PeerSupportsBert;
        _areKnown = true;
    }
}
