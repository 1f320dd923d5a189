using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>Drops the bodies of a connection when it ends, because the peer can neither send nor request the rest of them.</summary>
internal sealed class ConnectionBodyCleanup(ServedBodyStore bodies, LaneChannel connection) : IChannelFollower
{
    public void OnEnded()
    {
        // A peer that has closed only its own direction still gets the answers to its earlier requests.
        if (connection.IsClosed) { bodies.Forget(connection); }
    }
}
