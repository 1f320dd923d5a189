using System.Net.Sockets;
using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>A robust body that a lane receives or sends as a server (RFC 9177).</summary>
/// <remarks>A Reset for the message that was sent last ends the transfer (RFC 9177, section 4.3).</remarks>
internal abstract class RobustBody(ExchangeLane lane, RobustBodyStore robust, in BodyKey body, in ChannelKey key)
    : RobustMessageSender(lane, robust.Blocks, key)
{
    public BodyKey Body { get; } = body;

    /// <summary>The bytes that are charged for the body.</summary>
    public long Charged { get; set; }

    protected RobustBodyStore Robust => robust;

    public override void OnReset() => Drop();

    public override void OnNetworkError(SocketError error) => Drop();

    /// <summary>Removes the body from its store.</summary>
    protected abstract void Drop();
}
