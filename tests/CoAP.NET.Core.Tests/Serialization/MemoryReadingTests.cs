using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>What is in memory is read without waiting; what goes wrong is told by the task nevertheless.</summary>
public class MemoryReadingTests
{
    private static readonly byte[] Get = Hex.Bytes("40 01 0001 b1 61");

    [Fact]
    public async Task Malformed_bytes_fail_the_task_and_not_the_call()
    {
        var task = CoapMessageSerializer.Datagram.DeserializeAsync(new MemoryStream(Hex.Bytes("40 01 0001 ff")));

        var act = async () => await task;

        (await act.Should().ThrowAsync<CoapFormatException>()).Where(thrown => thrown.Reason == FormatError.EmptyPayloadAfterMarker);
    }

    [Fact]
    public async Task A_stream_that_was_closed_fails_the_task()
    {
        var stream = new MemoryStream(Get);
        stream.Dispose();

        var act = async () => await CoapMessageSerializer.Datagram.DeserializeAsync(stream);

        await act.Should().ThrowAsync<ObjectDisposedException>();
    }

    [Fact]
    public async Task A_token_that_was_cancelled_before_is_obeyed()
    {
        var stream = new MemoryStream(Get);

        var act = async () => await CoapMessageSerializer.Datagram.DeserializeAsync(stream, new CancellationToken(canceled: true));

        await act.Should().ThrowAsync<OperationCanceledException>();
        stream.Position.Should().Be(0);
    }

    [Fact]
    public async Task A_class_derived_from_MemoryStream_is_read_by_its_own_methods()
    {
        var message = await CoapMessageSerializer.Datagram.DeserializeAsync(new OwnStream(Get));

        message!.Options.Count.Should().Be(1);
        await CoapMessageSerializer.Datagram.Invoking(one => one.DeserializeAsync(new OwnStream(Get) { IsBroken = true }).AsTask()).Should().ThrowAsync<IOException>();
    }

    [Fact]
    public async Task A_null_stream_is_refused()
    {
        var act = async () => await CoapMessageSerializer.Datagram.DeserializeAsync((Stream)null!);

        await act.Should().ThrowAsync<ArgumentNullException>();
    }

    [Fact]
    public void Reading_to_the_end_takes_little_more_than_the_message()
    {
        var stream = new MemoryStream(Get);
        var read = () => { stream.Position = 0; CoapMessageSerializer.Datagram.Deserialize(stream); };

        var allocated = Allocations.Of(read);

        allocated.Should().BeLessThan(500, "a source that says how much it has needs no buffer for more");
    }

    private sealed class OwnStream(byte[] bytes) : MemoryStream(bytes)
    {
        public bool IsBroken { get; init; }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            IsBroken ? throw new IOException() : base.ReadAsync(buffer, cancellationToken);
    }
}
