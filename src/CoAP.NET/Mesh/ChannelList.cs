using System.Runtime.CompilerServices;
using CoAP.Datagrams;
using CoAP.Lanes;
using CoAP.Streams;

namespace CoAP.Mesh;

/// <summary>Lists the channels of an endpoint: its connections, and the sessions of its datagram lanes.</summary>
internal sealed class ChannelList(StreamConnections connections, EndpointDatagrams datagrams)
{
    private IEnumerable<DatagramLane> SecuredLanes => datagrams.Lanes.Where(static lane => lane.Sessions is not null);

    /// <summary>Lists the channels. Blocks while a lane copies its sessions.</summary>
    /// <exception cref="InvalidOperationException">The calling thread runs the lane, which would wait for itself.</exception>
    public IEnumerable<ChannelDescription> All(CancellationToken cancellationToken)
    {
        foreach (var connection in connections.Open) { yield return connection.Describe(); }
        foreach (var lane in SecuredLanes)
        {
            SynchronousCalls.CountWait();
            if (lane.IsOwnedByCaller)
            {
                throw new InvalidOperationException(
                    "A handler that runs inline cannot wait for its own lane. Call GetChannelsAsync, or map the handler with HandlerMode.Buffered.");
            }
            var snapshot = Begin(lane);
            using var copied = new ManualResetEventSlim();
            _ = snapshot.ContinueWith(
                static (_, copied) => SetUnlessDisposed((ManualResetEventSlim)copied!), copied, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            copied.Wait(cancellationToken);
            foreach (var session in snapshot.Result) { yield return LaneSessions.Describe(session, NowOf(lane)); }
        }
    }

    /// <summary>Lists the channels. Waits while a lane copies its sessions.</summary>
    public async IAsyncEnumerable<ChannelDescription> AllAsync([EnumeratorCancellation] CancellationToken cancellationToken)
    {
        foreach (var connection in connections.Open) { yield return connection.Describe(); }
        foreach (var lane in SecuredLanes)
        {
            SynchronousCalls.CountRequest(lane.IsOwnedByCaller);
            foreach (var session in await Begin(lane).WaitAsync(cancellationToken).ConfigureAwait(false))
            {
                yield return LaneSessions.Describe(session, NowOf(lane));
            }
        }
    }

    private static Task<IReadOnlyList<SecuredSession>> Begin(DatagramLane lane)
    {
        var snapshot = new LaneSessions.Snapshot(lane);
        lane.Post(snapshot);
        return snapshot.Copied;
    }

    private static TimeSpan NowOf(DatagramLane lane) => TimeSpan.FromTicks(lane.TimeOf(lane.Time.GetTimestamp()));

    // The caller may have given up.
    private static void SetUnlessDisposed(ManualResetEventSlim copied)
    {
        try { copied.Set(); }
        catch (ObjectDisposedException) { }
    }
}
