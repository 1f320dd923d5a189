using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>The capabilities that the peer has announced in its CSMs (RFC 8323, section 5.3). Written on the lane, safe to read from any thread.</summary>
/// <param name="peer">The peer.</param>
internal sealed class PeerCapabilities(PeerIdentity peer)
{
    private volatile int _maxSize = (int)MaxMessageSize.Default;
    private volatile int _maxTokenLength = Token.InlineLength;
    private volatile bool _supportsBert;
    private volatile bool _areKnown;

    public PeerIdentity Peer => peer;

    /// <summary>Whether the first CSM has arrived. The other members have their defaults until then.</summary>
    public bool AreKnown => _areKnown;

    /// <summary>The largest message that the peer accepts, in bytes (RFC 8323, section 5.3.1).</summary>
    public int MaxSize => _maxSize;

    /// <summary>The longest token that the peer accepts in requests, in bytes (RFC 8974, section 2.2.1).</summary>
    public int MaxTokenLength => _maxTokenLength;

    public MessageLimits Limits => new(_maxSize, IsReliable: true, _supportsBert);

    /// <summary>Copies the capabilities after a CSM.</summary>
    public void Update(SignalingMachine machine)
    {
        _maxSize = (int)Math.Min(machine.PeerMaxMessageSize, Array.MaxLength);
        _maxTokenLength = machine.PeerMaxTokenLength;
        _supportsBert = machine.PeerSupportsBert;
        _areKnown = true;
    }

    /// <summary>Returns the error text for a request that is larger than the peer accepts.</summary>
    public string DescribeTooLarge(long size) =>
        $"The request is {size} bytes; {peer} accepts messages of at most {_maxSize} bytes (Max-Message-Size, RFC 8323, section 5.3.1).";
}
