using System.Threading.Channels;
using CoAP.Transports;

namespace CoAP.Tests.Streams;

/// <summary>An in-memory endpoint that takes connections and leaves what is said on them to the test.</summary>
internal sealed class RawServer : IDisposable
{
    public const string Name = "raw-server";

    private readonly Channel<RawPeer> _accepted = Channel.CreateUnbounded<RawPeer>();
    private readonly IDisposable _listening;

    public RawServer(InMemoryNetwork network, string name = Name) => _listening = network.Listen(PeerIdentity.From(name), Accept);

    public int Accepted { get; private set; }

    public Task<RawPeer> AcceptAsync() => _accepted.Reader.ReadAsync().AsTask().WaitAsync(RawPeer.Patience);

    /// <summary>Takes the next connection, reads the client's CSM and answers with one.</summary>
    public async Task<RawPeer> OpenAsync(string csm = "00 e1")
    {
        var peer = await AcceptAsync();
        (await peer.ReadAsync())![2..4].Should().Be("e1", "the first message is a CSM");
        peer.Send(csm);
        return peer;
    }

    public void Dispose() => _listening.Dispose();

    private void Accept(IStreamConnection connection)
    {
        Accepted++;
        _accepted.Writer.TryWrite(new RawPeer(connection));
    }
}
