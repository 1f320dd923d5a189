using System.Net;

namespace CoAP.Datagrams;

/// <summary>A local port that a lane has opened later.</summary>
/// <param name="bound">The addresses that are bound to it.</param>
internal sealed class FurtherPort(IReadOnlyList<IPEndPoint> bound)
{
    private readonly LocalAddresses _locals = new(bound);

    /// <summary>The addresses that are bound to it.</summary>
    public IReadOnlyList<IPEndPoint> Bound => bound;

    public int Number => bound[0].Port;

    /// <summary>The number of channels that use the port.</summary>
    public int Users { get; set; }

    /// <summary>Returns the local address for datagrams to a peer; none if the port cannot reach it.</summary>
    public PeerIdentity LocalFor(in PeerIdentity peer) => _locals.For(peer);
}
