namespace CoAP.Tool.Connecting;

/// <summary>A client and, if requested, the capture of its messages.</summary>
internal sealed class Connection(CoapClient client, PcapngCapture? capture) : IAsyncDisposable
{
    public CoapClient Client => client;

    public async ValueTask DisposeAsync()
    {
        await client.DisposeAsync().ConfigureAwait(false);
        if (capture is not null) { await capture.DisposeAsync().ConfigureAwait(false); }
    }
}
