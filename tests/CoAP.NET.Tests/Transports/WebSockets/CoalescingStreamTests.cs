using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

public sealed class CoalescingStreamTests : IDisposable
{
    private readonly RecordingStream _inner = new();
    private readonly CoalescingStream _cut;

    public CoalescingStreamTests() => _cut = new CoalescingStream(_inner);

    public void Dispose() => _cut.Dispose();

    [Fact]
    public async Task A_batch_is_written_in_one_piece()
    {
        await _cut.BeginBatchAsync(100);
        for (byte i = 0; i < 10; i++) { await _cut.WriteAsync(new[] { i }); }
        var before = _inner.Writes.Count;
        await _cut.EndBatchAsync();

        before.Should().Be(0);
        _inner.Writes.Should().ContainSingle().Which.Should().Equal(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    [Fact]
    public async Task Without_a_batch_each_write_is_written_at_once()
    {
        await _cut.WriteAsync(new byte[] { 1 });
        await _cut.BeginBatchAsync(100);
        await _cut.EndBatchAsync();
        await _cut.WriteAsync(new byte[] { 2 });

        _inner.Writes.Select(bytes => bytes[0]).Should().Equal(1, 2);
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public async Task A_batch_keeps_at_most_64_KiB_and_the_order(int seed)
    {
        var random = new Random(seed);
        var sent = new List<byte>();
        await _cut.BeginBatchAsync(int.MaxValue);
        for (var i = 0; i < 200; i++)
        {
            var bytes = new byte[random.Next(0, i % 20 == 0 ? 200_000 : 2_000)];
            random.NextBytes(bytes);
            sent.AddRange(bytes);
            await _cut.WriteAsync(bytes);
            (sent.Count - _inner.Written.Count()).Should().BeLessThanOrEqualTo(64 << 10, "the seed is {0}", seed);
        }
        await _cut.EndBatchAsync();

        _inner.Written.Should().Equal(sent, "the seed is {0}", seed);
    }

    [Fact]
    public async Task A_batch_can_be_flushed_before_its_end()
    {
        await _cut.BeginBatchAsync(100);
        await _cut.WriteAsync(new byte[] { 1 });
        await _cut.FlushBatchAsync();
        var pushed = _inner.Writes.Count;
        await _cut.WriteAsync(new byte[] { 2 });
        await _cut.EndBatchAsync();

        pushed.Should().Be(1);
        _inner.Written.Should().Equal(1, 2);
    }

    [Fact]
    public async Task A_failed_write_fails_the_end_of_the_batch_and_all_later_writes()
    {
        await _cut.BeginBatchAsync(100);
        await _cut.WriteAsync(new byte[] { 1 });
        _inner.IsBroken = true;

        await _cut.Invoking(one => one.EndBatchAsync().AsTask()).Should().ThrowAsync<IOException>();
        await _cut.Invoking(one => one.WriteAsync(new byte[] { 2 }).AsTask()).Should().ThrowAsync<IOException>();
        _inner.Writes.Should().BeEmpty();
    }

    [Fact]
    public async Task Reads_ahead_and_returns_the_requested_bytes()
    {
        _inner.ToRead.Enqueue([1, 2, 3, 4, 5]);
        _inner.ToRead.Enqueue([6]);
        var buffer = new byte[2];

        (await _cut.ReadAsync(Memory<byte>.Empty)).Should().Be(0);
        var counts = new List<int>();
        var read = new List<byte>();
        while (await _cut.ReadAsync(buffer) is var count and > 0)
        {
            counts.Add(count);
            read.AddRange(buffer[..count]);
        }

        read.Should().Equal(1, 2, 3, 4, 5, 6);
        counts.Should().Equal(2, 2, 1, 1);
        _inner.Reads.Should().Be(4, "there is a wait, two pieces and the end");
    }

    private sealed class RecordingStream : MemoryStream
    {
        public List<byte[]> Writes { get; } = [];

        public IEnumerable<byte> Written => Writes.SelectMany(bytes => bytes);

        public Queue<byte[]> ToRead { get; } = new();

        public int Reads { get; private set; }

        public bool IsBroken { get; set; }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            if (IsBroken) { throw new IOException("It is broken."); }
            Writes.Add(buffer.ToArray());
            return default;
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Reads++;
            if (buffer.IsEmpty || !ToRead.TryDequeue(out var next)) { return new(0); }
            next.CopyTo(buffer);
            return new(next.Length);
        }
    }
}
