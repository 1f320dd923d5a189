using System.Diagnostics;

namespace CoAP.Tool.Pinging;

/// <summary>Sends pings through a client whose requests <see cref="PingStage"/> turns into pings, one at a time.</summary>
internal sealed class Pinger
{
    private readonly string _uri;
    private readonly TimeSpan _timeout;
    private volatile TaskCompletionSource _pong = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Pinger(string uri, TimeSpan timeout)
    {
        (_uri, _timeout) = (uri, timeout);
        Link = PingStage.With(() => _pong.TrySetResult());
    }

    /// <summary>The link for the settings of the client.</summary>
    public MeshLink Link { get; }

    /// <summary>Sends a ping and returns the time until the answer. The first one includes the time to connect.</summary>
    /// <exception cref="CoapException">The peer did not answer, or cannot be reached.</exception>
    public async Task<TimeSpan> PingAsync(CoapClient client, CancellationToken cancellationToken)
    {
        _pong = new(TaskCreationOptions.RunContinuationsAsynchronously);
        using var answered = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var startedAt = Stopwatch.GetTimestamp();
        var request = client.SendAsync(new CoapRequest(RequestCode.Get, _uri) { Timeout = _timeout }, answered.Token).AsTask();
        await Task.WhenAny(request, _pong.Task).ConfigureAwait(false);
        var elapsed = Stopwatch.GetElapsedTime(startedAt);
        var hasPong = _pong.Task.IsCompleted;
        if (hasPong) { await answered.CancelAsync().ConfigureAwait(false); }
        try
        {
            await request.ConfigureAwait(false);
        }
        catch (CoapResetException)
        {
            // A Reset is the answer to an Empty message.
        }
        catch (OperationCanceledException) when (hasPong)
        {
            // The request itself gets no response.
        }
        return elapsed;
    }
}
