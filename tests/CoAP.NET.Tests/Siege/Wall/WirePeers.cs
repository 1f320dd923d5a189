using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>The peers of a server on a wire. The server has a resource "large", whose response is too large for an unverified address.</summary>
internal sealed class WirePeers(Wire wire) : IDisposable
{
    private readonly List<ScriptedPeer> _peers = [];

    public void Dispose() => _peers.ForEach(static peer => peer.Dispose());

    /// <summary>Adds a peer.</summary>
    /// <param name="name">The name of the peer.</param>
    /// <param name="isProven">Whether the peer proves its address by an Echo option (RFC 9175, section 2.3).</param>
    public ScriptedPeer Join(string name, bool isProven)
    {
        var peer = ScriptedPeer.Client(wire, name);
        _peers.Add(peer);
        if (!isProven) { return peer; }
        peer.Send("CON [0x0001] GET /large (Token 0x77)");
        peer.Expect("ACK [0x0001] 4.01 Unauthorized (Token 0x77) {Max-Age: 0, Echo: E}");
        peer.Send("CON [0x0002] GET /none (Token 0x78) {Echo: E}");
        peer.Expect("ACK [0x0002] 4.04 Not Found (Token 0x78)");
        return peer;
    }
}
