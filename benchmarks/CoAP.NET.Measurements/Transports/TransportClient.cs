using CoAP.Measurements.Serving;

namespace CoAP.Measurements.Transports;

/// <summary>One client on one connection, or one socket.</summary>
internal sealed class TransportClient(CoapClient client, string root, IChannel? channel) : IAsyncDisposable
{
    /// <summary>The bytes from which on a body is fetched in parts: block numbers end here (RFC 7959, section 2.2).</summary>
    public const long LargestBody = 1L << 30;

    private static readonly byte[] SmallPayload = new byte[32];

    public ValueTask<CoapResponse> SendAsync(CoapRequest request) => channel is null ? client.SendAsync(request) : channel.SendAsync(request);

    /// <summary>A small packet to the server and back.</summary>
    public async Task EchoAsync()
    {
        var answer = await SendAsync(new CoapRequest(RequestCode.Post, root + "/echo") { Payload = SmallPayload });
        if (answer.EnsureSuccess().Payload.Length != SmallPayload.Length) { throw new InvalidOperationException($"{answer.Payload.Length} bytes came back."); }
    }

    /// <summary>Fetches a body, as a stream or into memory.</summary>
    public async Task DownloadAsync(long size, bool intoMemory)
    {
        for (var left = size; left > 0; left -= LargestBody) { await FetchAsync(Math.Min(left, LargestBody), intoMemory); }
    }

    private async Task FetchAsync(long size, bool intoMemory)
    {
        var sink = new Sink();
        var uri = $"{root}/body?size={size}{(intoMemory ? "&memory" : "")}";
        var answer = await SendAsync(new CoapRequest(RequestCode.Get, uri) { ResponseBody = intoMemory ? null : BodyTarget.To(sink) });
        var came = answer.EnsureSuccess().Payload.Length + sink.Count;
        if (came != size) { throw new InvalidOperationException($"{came} of {size} bytes came."); }
    }

    public ValueTask DisposeAsync() => client.DisposeAsync();
}
