using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>The bodies that go with a connection: when it ends, nobody can send or ask for the rest of them.</summary>
internal sealed class ConnectionBodies(LaneBodies bodies, LaneChannel connection) : IChannelFollower
{
    public void OnRoom()
    {
    }

    public void OnEnded()
    {
        // A peer that has ended its own direction alone still gets the answers to what it sent before.
        if (connection.IsClosed) { bodies.Forget(connection); }
    }
}
