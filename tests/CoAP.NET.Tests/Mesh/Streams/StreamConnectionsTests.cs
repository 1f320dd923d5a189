using CoAP.Handlers;
using CoAP.Mesh;
using CoAP.Transports;

namespace CoAP.Tests.Mesh;

public sealed class StreamConnectionsTests
{
    [Fact]
    public async Task A_connection_that_comes_after_the_end_is_closed_and_gets_no_lane_that_nobody_would_end()
    {
        var settings = new CoapClientSettings();
        var pipeline = new HandlerPipeline(null, [], settings, CancellationToken.None);
        var connections = new StreamConnections(settings, pipeline, StreamLaneForm.Client);
        var connection = new LateConnection();
        await connections.DrainAsync(CancellationToken.None);
        await connections.EndAsync();

        connections.Invoking(them => them.Adopt(connection)).Should().Throw<CoapTransportException>();

        connection.IsDisposed.Should().BeTrue();
        connections.Lanes.Should().BeEmpty();
    }

    private sealed class LateConnection : IStreamConnection
    {
        public bool IsDisposed { get; private set; }

        public PeerIdentity Peer => PeerIdentity.From("late");

        public PeerIdentity Local => PeerIdentity.From("us");

        public bool IsBlocking => false;

        public Exception? Error => null;

        public void Attach(IStreamEvents events)
        {
        }

        public StreamOutcome Receive(Span<byte> buffer, out int count) => throw new NotSupportedException();

        public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count) => throw new NotSupportedException();

        public void ArmReceive()
        {
        }

        public void ArmSend(ReadOnlyMemory<byte> rest)
        {
        }

        public void EndSending()
        {
        }

        public void Dispose() => IsDisposed = true;
    }
}
