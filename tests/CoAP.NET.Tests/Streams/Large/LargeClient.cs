using CoAP.TestSupport;

namespace CoAP.Tests.Streams;

/// <summary>A client that sends large messages to a peer whose bytes the test writes and that takes what the test lets it, in time that the test lets pass.</summary>
internal sealed class LargeClient : IAsyncDisposable
{
    public const string TakesSixteenMiB = "60 e1 24 01000000 20";     // Max-Message-Size 16,777,216, Block-Wise-Transfer
    public const string TakesSmall = "40 e1 23 010000";               // Max-Message-Size 65,536

    private readonly RawServer _server;

    public LargeClient(Func<CoapClientSettings, CoapClientSettings>? change = null)
    {
        _server = new RawServer(Network);
        var settings = new CoapClientSettings { Network = Network, TimeProvider = Time };
        Client = new CoapClient(change?.Invoke(settings) ?? settings);
    }

    public InMemoryNetwork Network { get; } = new();

    public ManualClock Time { get; } = new();

    public CoapClient Client { get; }

    /// <summary>A payload that no part of looks like another.</summary>
    public static byte[] Payload(int size, int seed = 1)
    {
        var payload = new byte[size];
        new Random(seed).NextBytes(payload);
        return payload;
    }

    public Task<CoapResponse> PutAsync(byte[] payload, CancellationToken cancellationToken = default) =>
        Client.SendAsync(new CoapRequest(RequestCode.Put, "coap+tcp://raw-server/a") { Payload = payload }, cancellationToken).AsTask();

    public async Task<RawPeer> AcceptAsync(string csm = TakesSixteenMiB) => await _server.OpenAsync(csm);

    /// <summary>The connection with the message half written: 64 KiB are in the pipe, and the peer takes no more.</summary>
    public static Task StuckAsync(RawPeer peer) => peer.TakeFirstAsync();

    /// <summary>2.04 for a request in hexadecimal.</summary>
    public static string Changed(string request)
    {
        var start = (request[0] switch { 'd' => 3, 'e' => 4, 'f' => 6, _ => 2 }) * 2;
        var token = Convert.ToInt32(request[1..2], 16);
        return $"0{token} 44 {request.Substring(start, 2 * token)}";
    }

    /// <summary>Lets time pass until it happens or fails.</summary>
    public async Task PassAsync(Task task)
    {
        await Time.PassAsync(task, TimeSpan.FromHours(1));
        await ((Task)Task.WhenAny(task)).WaitAsync(RawPeer.Patience);
    }

    public async ValueTask DisposeAsync()
    {
        var ending = Client.DisposeAsync().AsTask();
        await PassAsync(ending);
        _server.Dispose();
    }
}
