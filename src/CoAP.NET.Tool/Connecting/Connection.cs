namespace CoAP.Tool.Connecting;

/// <summary>A client, and the capture of its messages if one was asked for.</summary>
internal sealed class Connection(CoapClient client, PcapngCapture? capture) : IAsyncDisposable
{
    public CoapClient Client => client;

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync().ConfigureAwait(false);
        if (capture is not null) { await capture.DisposeAsync().ConfigureAwait(false); }
    }
}
