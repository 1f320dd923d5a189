namespace CoAP.Tool.Pinging;

/// <summary>Sends pings through a client whose requests <see cref="PingStage"/> turns into pings, one at a time.</summary>
internal sealed class Pinger(string uri, TimeSpan timeout)
{
    private readonly PingWatch _watch = new();

    /// <summary>The link for the settings of the client.</summary>
    public MeshLink Link => MeshLink.Stages(lane =>
    {
        lane.Insert(MeshArrow.FramesOut, new PingStage(lane.IsReliable, _watch));
        lane.Insert(lane.IsReliable ? MeshArrow.SignalFrames : MeshArrow.FramesIn, new PongStage(lane.IsReliable, _watch));
    });

    /// <summary>Sends a ping and returns the time from its first transmission to the answer. Name resolution and handshakes do not count.</summary>
    /// <exception cref="CoapException">The peer did not answer, or cannot be reached.</exception>
    public async Task<TimeSpan> PingAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var answer = _watch.Begin();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var request = client.SendAsync(new CoapRequest(RequestCode.Get, uri) { Timeout = timeout }, end.Token).AsTask();
        await Task.WhenAny(request, answer).ConfigureAwait(false);
        if (answer.IsCompleted) { await end.CancelAsync().ConfigureAwait(false); }
        try
        {
            await request.ConfigureAwait(false);
        }
        catch (Exception exception) when (answer.IsCompleted && exception is CoapResetException or OperationCanceledException)
        {
            // A Reset ends the request, and a Pong is no response to it. Both are answers to the ping.
        }
        return _watch.RoundTrip;
    }
}
