namespace CoAP;

/// <summary>The security layer of one endpoint. Its stages are between the sockets and the rest of the mesh.</summary>
/// <remarks>
/// A secured peer has a <see cref="PeerIdentity"/> of its own, which the layer replaces by the address of the peer when it sends, and the other way round when it
/// receives. All state of the peer belongs to that identity, so it does not change when the address does.
/// </remarks>
public abstract class DatagramSecurityLayer : IDisposable
{
    /// <summary>The maximum number of bytes that the layer adds to a datagram. The maximum size of messages is reduced by this number.</summary>
    public abstract int Overhead { get; }

    /// <summary>
    /// Adds the stages of the layer to a lane, at <see cref="MeshArrow.DatagramsIn"/> and <see cref="MeshArrow.DatagramsOut"/>. Called once for each lane,
    /// before it starts.
    /// </summary>
    /// <param name="lane">The lane. The first one that is built has the number 0, the next one 1.</param>
    /// <param name="isSecuredOnly">Whether all datagrams of the lane are secured. Otherwise, it also has plain ones, which the stages pass on.</param>
    public abstract void Build(LaneBuilder lane, bool isSecuredOnly);

    /// <summary>Returns the identity of a server for requests of this endpoint. A session begins with the first request.</summary>
    /// <param name="address">The address of the server.</param>
    /// <param name="host">The name that the server must have.</param>
    public abstract PeerIdentity IdentityOf(PeerIdentity address, string host);

    /// <summary>Returns the number of the lane that has a session with a peer. Returns <see langword="null"/> if the peer is not one of this layer.</summary>
    /// <param name="peer">The peer.</param>
    /// <param name="lanes">The number of lanes.</param>
    public abstract int? LaneOf(PeerIdentity peer, int lanes);

    /// <summary>Called once, after all lanes are built and before they start. The layer can continue the sessions of an earlier run.</summary>
    public virtual void Start()
    {
    }

    /// <summary>Returns the credentials of a peer with a session; <see langword="null"/> if it has none. Called on the lane of the peer.</summary>
    /// <param name="peer">The peer and the local address.</param>
    public virtual PeerCredentials? CredentialsOf(in ChannelKey peer) => null;

    /// <summary>Called after the lanes have ended. Completes when what they have left is stored, after a few seconds at most.</summary>
    public virtual Task CompleteAsync() => Task.CompletedTask;

    /// <summary>Releases the resources that the lanes share. Called after the lanes have ended.</summary>
    public virtual void Dispose() => GC.SuppressFinalize(this);

    /// <summary>
    /// Called before the layer starts if a scheduler runs the endpoint, for tests in simulated time. The layer must then use no threads of its own: it does its work on
    /// the lanes, or queues it. Default: does nothing.
    /// </summary>
    /// <param name="scheduler">The scheduler.</param>
    protected internal virtual void RunBy(NetworkScheduler scheduler) { }
}
