using System.Net.Sockets;
using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Datagrams;
using CoAP.Exchanges;

namespace CoAP;

/// <summary>Adds the stages and sources of a package or a user to one lane.</summary>
/// <remarks>Stages at the same arrow run in the order in which they were inserted.</remarks>
public sealed class LaneBuilder
{
    private readonly List<(object Arrow, object Stage)> _stages = [];
    private readonly List<(object Arrow, object Source)> _added = [];
    private readonly List<IDataflowBlock> _sources = [];

    internal LaneBuilder(ExchangeLane lane, RequestFailures failures, IReadOnlyList<MeshLink> links)
    {
        (Exchanges, Failures) = (lane, failures);
        foreach (var link in links) { link.Apply(this); }
    }

    /// <summary>The lane.</summary>
    public ILane Lane => Exchanges;

    /// <summary>Whether the lane serves connections (RFC 8323); otherwise it serves datagrams (RFC 7252).</summary>
    public bool IsReliable => Exchanges.IsReliable;

    internal ExchangeLane Exchanges { get; }

    internal RequestFailures Failures { get; }

    /// <summary>Inserts a stage at an arrow. All items of the arrow then pass through it.</summary>
    /// <remarks>A stage passes each item on, answers it (<see cref="Answer"/>), or drops it (<see cref="LaneExtensions.Drop"/>).</remarks>
    public void Insert<T>(MeshArrow<T> arrow, IPropagatorBlock<T, T> stage)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(stage);
        _stages.Add((arrow, stage));
    }

    /// <summary>Adds a source to an arrow. Its items do not pass through the stages that are inserted at the arrow.</summary>
    public void AddSource<T>(MeshArrow<T> arrow, ISourceBlock<T> source)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(source);
        _added.Add((arrow, source));
    }

    /// <summary>Sets what is called when the network reports that a datagram of a security layer did not arrive. Anybody can forge such a report.</summary>
    /// <param name="undelivered">Gets the receiver and the beginning of the datagram, and the error. It runs on the lane.</param>
    public void OnUndelivered(Action<Frame, SocketError> undelivered)
    {
        ArgumentNullException.ThrowIfNull(undelivered);
        if (Exchanges is DatagramLane lane) { lane.Undelivered = undelivered; }
    }

    /// <summary>
    /// Sets how large the messages to a peer over datagrams may be, requests and responses, for example because a stage of the lane adds
    /// bytes to them or the peer has a small buffer. Larger bodies are sent in blocks. A limit above <see
    /// cref="CoapEndpointSettings.MaxSendSize"/> has no effect.
    /// </summary>
    /// <param name="limitOf">Gets a peer, with a security layer or without one, and the limit of other peers in bytes, and returns the
    /// limit of this one. It runs on the lane.</param>
    public void LimitMessages(Func<ChannelKey, int, int> limitOf)
    {
        ArgumentNullException.ThrowIfNull(limitOf);
        Exchanges.PeerLimit = limitOf;
    }

    /// <summary>Sets how the lane learns that messages to a peer of a security layer wait for a handshake. The error of a call that ends meanwhile tells so.</summary>
    /// <param name="isInHandshake">Gets the peer, and returns whether its handshake is in progress and no session exists. It runs on the lane.</param>
    public void ReportHandshakes(Func<ChannelKey, bool> isInHandshake)
    {
        ArgumentNullException.ThrowIfNull(isInHandshake);
        Exchanges.IsInHandshake = isInHandshake;
    }

    /// <summary>Sets how the lane learns of the sessions of a security layer. <see cref="CoapServer.GetChannels"/> lists them.</summary>
    /// <param name="hasSession">Gets a peer, and returns whether it has a session. It runs on the lane.</param>
    /// <param name="sessions">Returns all sessions. It runs on the lane, so it should be fast.</param>
    /// <remarks>Report each change with <see cref="LaneExtensions.SessionOpened"/> and <see cref="LaneExtensions.SessionClosed"/>.</remarks>
    public void ReportSessions(Func<ChannelKey, bool> hasSession, Func<IEnumerable<SecuredSession>> sessions)
    {
        ArgumentNullException.ThrowIfNull(hasSession);
        ArgumentNullException.ThrowIfNull(sessions);
        if (Exchanges is DatagramLane lane) { lane.Sessions = new LaneSessions(hasSession, sessions); }
    }

    /// <summary>Sets how the lane ends a session of a security layer before it closes the local port of the session.</summary>
    /// <param name="end">Gets a peer, and ends its session, if it has one. It runs on the lane.</param>
    public void EndSessions(Action<ChannelKey> end)
    {
        ArgumentNullException.ThrowIfNull(end);
        if (Exchanges is DatagramLane lane) { lane.EndSession = end; }
    }

    /// <summary>Links sources to a target along an arrow, and returns the first stage of the arrow. Its inserted stages run before the target.</summary>
    /// <param name="arrow">The arrow.</param>
    /// <param name="target">The stage to which the arrow leads.</param>
    /// <param name="sources">A source that is <see langword="null"/> is not part of this lane. If all are, the lane does not have the arrow.</param>
    internal ITargetBlock<T> Link<T>(MeshArrow<T> arrow, ITargetBlock<T> target, params IReadOnlyList<ISourceBlock<T>?> sources)
    {
        foreach (var source in SourcesOf(arrow)) { Link(source, Guard(arrow, target)); }
        var stages = StagesOf(arrow);
        ISourceBlock<T>[] present = [.. sources.OfType<ISourceBlock<T>>()];
        if (sources.Count > 0 && present.Length == 0)
        {
            _sources.AddRange(stages);
            return target;
        }
        var first = stages.Reverse().Aggregate(target, (next, stage) => Before(stage, Guard(arrow, next)));
        foreach (var source in present) { Link(source, first); }
        return first;
    }

    /// <summary>Puts a stage in front of a target and returns it. Returns the target if the lane does not have the stage.</summary>
    internal static ITargetBlock<T> Before<T>(IPropagatorBlock<T, T>? stage, ITargetBlock<T> target)
    {
        if (stage is null) { return target; }
        Link(stage, target);
        return stage;
    }

    /// <summary>Marks an output as a source of the lane. <see cref="Complete"/> completes it.</summary>
    internal Output<T>? Source<T>(Output<T>? source)
    {
        if (source is not null) { _sources.Add(source); }
        return source;
    }

    /// <summary>Completes the sources of the lane, and the stages at arrows that it does not have.</summary>
    internal void Complete() => _sources.ForEach(static source => source.Complete());

    // A stage or source of a package may emit an item later, when no earlier stage that would end it after a failure is on the call stack.
    private ITargetBlock<T> Guard<T>(MeshArrow<T> arrow, ITargetBlock<T> target)
    {
        if (!arrow.EndsFailures) { return target; }
        var guard = new GuardStage<T>((item, exception) => arrow.Fail(Failures, item, exception));
        Link(guard, target);
        return guard;
    }

    private static void Link<T>(ISourceBlock<T> source, ITargetBlock<T> target) =>
        source.LinkTo(target, new DataflowLinkOptions { PropagateCompletion = true });

    private IEnumerable<IPropagatorBlock<T, T>> StagesOf<T>(MeshArrow<T> arrow) =>
        _stages.Where(one => ReferenceEquals(one.Arrow, arrow)).Select(static one => (IPropagatorBlock<T, T>)one.Stage);

    private IEnumerable<ISourceBlock<T>> SourcesOf<T>(MeshArrow<T> arrow) =>
        _added.Where(one => ReferenceEquals(one.Arrow, arrow)).Select(static one => (ISourceBlock<T>)one.Source);
}
