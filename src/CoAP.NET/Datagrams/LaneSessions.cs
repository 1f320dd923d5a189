using CoAP.Lanes;

namespace CoAP.Datagrams;

/// <summary>The sessions of a security layer on one lane, as the layer reports them.</summary>
/// <param name="hasSession">Returns whether a peer has a session. Called on the lane.</param>
/// <param name="all">Returns all sessions. Called on the lane.</param>
internal sealed class LaneSessions(Func<ChannelKey, bool> hasSession, Func<IEnumerable<SecuredSession>> all)
{
    /// <summary>Returns whether a peer has a session. Called on the lane.</summary>
    public bool Contain(in ChannelKey peer) => hasSession(peer);

    /// <summary>All sessions. Used on the lane.</summary>
    public IEnumerable<SecuredSession> All => all();

    /// <summary>Returns what identifies a session until it ends.</summary>
    public static object KeyOf((SecuredSession Session, TimeSpan Now) one) => one.Session.Peer.Peer;

    /// <summary>Describes a session.</summary>
    public static ChannelDescription Describe(in SecuredSession session, TimeSpan now) => new()
    {
        Peer = session.Peer.Peer,
        Local = session.Peer.Local,
        Scheme = CoapScheme.Coaps,
        Identity = session.Credentials?.Identity,
        Age = Since(session.OpenedAt, now),
        SinceLastContact = Since(session.HeardAt, now),
    };

    private static TimeSpan Since(TimeSpan time, TimeSpan now) => now > time ? now - time : TimeSpan.Zero;

    /// <summary>Copies the sessions of a lane, in a turn of the lane. The copies are described elsewhere.</summary>
    public sealed class Snapshot(DatagramLane lane) : LaneWork
    {
        private readonly TaskCompletionSource<IReadOnlyList<SecuredSession>> _copied = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>The sessions; none if the lane has ended. Fails if the layer does.</summary>
        public Task<IReadOnlyList<SecuredSession>> Copied => _copied.Task;

        public override void Run()
        {
            try { _copied.TrySetResult([.. lane.Sessions?.All ?? []]); }
            catch (Exception exception) // The edge to a security layer: its failure is that of the call.
            {
                _copied.TrySetException(exception);
            }
        }

        public override void Abandon() => _copied.TrySetResult([]);
    }
}
