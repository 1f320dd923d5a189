using CoAP.Mesh;
using CoAP.Streams;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Streams;

public sealed class StreamConnectionsTests
{
    [Fact]
    public async Task A_connection_that_comes_after_the_end_is_closed_and_gets_no_lane_that_nobody_would_end()
    {
        var settings = new CoapClientSettings();
        var parts = new EndpointParts(settings, null, [], CancellationToken.None);
        var connections = new StreamConnections(settings.ForStreamLanes(parts.Lane, parts.Ledger), maxInFlight: 1 << 20, StreamLaneForm.Client, lane => _ = new LaneMesh(lane, parts));
        var connection = new LateConnection();
        await connections.DrainAsync(CancellationToken.None);
        await connections.EndAsync();

        connections.Invoking(them => them.Adopt(connection)).Should().Throw<CoapTransportException>();

        connection.IsDisposed.Should().BeTrue();
        connections.Lanes.Should().BeEmpty();
    }

    [Fact]
    [Trait("RFC", "8323 5.3")]
    public async Task A_connection_can_be_found_only_after_its_CSM_is_the_first_message()
    {
        var time = new ManualClock();
        var settings = new CoapClientSettings { TimeProvider = time };
        var parts = new EndpointParts(settings, null, [], CancellationToken.None);
        var connections = new StreamConnections(settings.ForStreamLanes(parts.Lane, parts.Ledger), maxInFlight: 1 << 20, StreamLaneForm.Client, lane => _ = new LaneMesh(lane, parts));
        var (early, first) = (new TaskCompletionSource<bool>(), new TaskCompletionSource<(bool IsFound, byte Code)>());
        using var connection = new LateConnection
        {
            Attached = () => early.TrySetResult(connections.TryFind(PeerIdentity.From("late"), out _)),
            Sent = bytes => first.TrySetResult((connections.TryFind(PeerIdentity.From("late"), out _), bytes[1])),
        };

        connections.Adopt(connection);

        (await early.Task.WaitAsync(TimeSpan.FromMinutes(1))).Should().BeFalse("nothing was sent yet");
        (await first.Task.WaitAsync(TimeSpan.FromMinutes(1))).Should().Be((true, (byte)0xe1));
        await time.PassAsync(connections.EndAsync());
    }

    private sealed class LateConnection : IStreamConnection
    {
        public Action? Attached { get; init; }

        public Action<byte[]>? Sent { get; init; }

        public bool IsDisposed { get; private set; }

        public PeerIdentity Peer => PeerIdentity.From("late");

        public PeerIdentity Local => PeerIdentity.From("us");

        public bool IsBlocking => false;

        public Exception? Error => null;

        public void Attach(IStreamEvents events) => Attached?.Invoke();

        public StreamOutcome Receive(Span<byte> buffer, out int count) => throw new NotSupportedException();

        public StreamOutcome Send(ReadOnlySpan<byte> bytes, out int count)
        {
            Sent?.Invoke(bytes.ToArray());
            count = bytes.Length;
            return StreamOutcome.Done;
        }

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
