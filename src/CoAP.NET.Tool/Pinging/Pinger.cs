using System.Diagnostics;

namespace CoAP.Tool.Pinging;

/// <summary>Sends pings through a client whose requests <see cref="PingStage"/> turns into pings, one at a time.</summary>
internal sealed class Pinger(string uri, TimeSpan timeout)
{
    private volatile TaskCompletionSource _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _sentAt;
    private long _answeredAt;

    /// <summary>The link for the settings of the client.</summary>
    public MeshLink Link => MeshLink.Stages(lane =>
    {
        lane.Insert(MeshArrow.FramesOut, new PingStage(lane.IsReliable, OnSent));
        lane.Insert(lane.IsReliable ? MeshArrow.SignalFrames : MeshArrow.FramesIn, new PongStage(lane.IsReliable, OnAnswered));
    });

    /// <summary>Sends a ping and returns the time from its first transmission to the answer. Name resolution and handshakes do not count.</summary>
    /// <exception cref="CoapException">The peer did not answer, or cannot be reached.</exception>
    public async Task<TimeSpan> PingAsync(CoapClient client, CancellationToken cancellationToken)
    {
        _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);
        (_sentAt, _answeredAt) = (0, 0);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var request = client.SendAsync(new CoapRequest(RequestCode.Get, uri) { Timeout = timeout }, end.Token).AsTask();
        await Task.WhenAny(request, _answer.Task).ConfigureAwait(false);
        var isAnswered = _answer.Task.IsCompleted;
        if (isAnswered) { await end.CancelAsync().ConfigureAwait(false); }
        try
        {
            await request.ConfigureAwait(false);
        }
        catch (Exception exception) when (isAnswered && exception is CoapResetException or OperationCanceledException)
        {
            // A Reset ends the request, and a Pong is no response to it. Both are answers to the ping.
        }
        return Stopwatch.GetElapsedTime(_sentAt, _answeredAt);
    }

    private void OnSent()
    {
        if (_sentAt == 0) { _sentAt = Stopwatch.GetTimestamp(); }
    }

    private void OnAnswered()
    {
        _answeredAt = Stopwatch.GetTimestamp();
        _answer.TrySetResult();
    }
}
