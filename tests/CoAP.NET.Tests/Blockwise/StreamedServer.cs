using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Blockwise;

/// <summary>
/// A server whose handlers read bodies as they come. They run on other threads, so the wire stands still until as many datagrams have been sent
/// as the script says.
/// </summary>
internal sealed class StreamedServer : IDisposable
{
    private readonly ScriptedPeer _client;
    private int _answers;

    public StreamedServer(Action<ResourceMap> map, ServerTransferSettings? settings = null)
    {
        var limits = settings ?? new ServerTransferSettings { StreamWindow = 1024, MaxBodySize = 100 };
        Server = LaneEnd.Server(Wire, map, new CoapServerSettings { Transmission = new() { AckRandomFactor = 1 }, ServerTransfers = limits });
        _client = ScriptedPeer.Client(Wire);
    }

    public Wire Wire { get; } = new(new ManualClock());

    public LaneEnd Server { get; }

    public ScriptedPeer Client => _client;

    /// <summary>Sends a message, and expects an answer at this very time.</summary>
    public void Exchange(string message, string answer)
    {
        _client.Send(message);
        Expect(answer);
    }

    /// <summary>Expects a message without letting time pass.</summary>
    public void Expect(string answer)
    {
        _answers++;
        Until(() => Wire.Sent(Direction.ToClient).Count >= _answers);
        _client.Expect(answer);
    }

    /// <summary>Expects a message for which time has to pass.</summary>
    public void ExpectLater(string answer, double at)
    {
        _answers++;
        _client.Expect(answer, at);
    }

    /// <summary>Gives the lane what other threads bring until the condition holds.</summary>
    public void Until(Func<bool> isDone)
    {
        while (!Wire.RunUntil(isDone, TimeSpan.Zero)) { Server.AwaitWork(); }
    }

    public void Dispose()
    {
        Server.Dispose();
        _client.Dispose();
    }
}

/// <summary>A stream that tells what is done with it.</summary>
internal sealed class WatchedStream(byte[] bytes, bool canSeek) : MemoryStream(bytes)
{
    private readonly TaskCompletionSource _disposed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task Disposed => _disposed.Task;

    public long BytesRead { get; private set; }

    public override bool CanSeek => canSeek;

    public static WatchedStream Text(string text, bool canSeek = false) => new(Encoding.ASCII.GetBytes(text), canSeek);

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        var count = await base.ReadAsync(buffer, cancellationToken);
        BytesRead += count;
        return count;
    }

    protected override void Dispose(bool disposing)
    {
        base.Dispose(disposing);
        _disposed.TrySetResult();
    }
}
