using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

public sealed class GatheringStreamTests : IDisposable
{
    private readonly RecordingStream _below = new();
    private readonly GatheringStream _cut;

    public GatheringStreamTests() => _cut = new GatheringStream(_below);

    public void Dispose() => _cut.Dispose();

    [Fact]
    public async Task What_is_written_between_begin_and_end_goes_out_in_one_piece()
    {
        await _cut.BeginAsync(100);
        for (byte i = 0; i < 10; i++) { await _cut.WriteAsync(new[] { i }); }
        var before = _below.Writes.Count;
        await _cut.EndAsync();

        before.Should().Be(0);
        _below.Writes.Should().ContainSingle().Which.Should().Equal(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    [Fact]
    public async Task Otherwise_each_write_goes_out_at_once()
    {
        await _cut.WriteAsync(new byte[] { 1 });
        await _cut.BeginAsync(100);
        await _cut.EndAsync();
        await _cut.WriteAsync(new byte[] { 2 });

        _below.Writes.Select(bytes => bytes[0]).Should().Equal(1, 2);
    }

    [Theory, InlineData(1), InlineData(2), InlineData(3)]
    public async Task No_more_than_64_KiB_are_kept_and_the_order_stays(int seed)
    {
        var random = new Random(seed);
        var sent = new List<byte>();
        await _cut.BeginAsync(int.MaxValue);
        for (var i = 0; i < 200; i++)
        {
            var bytes = new byte[random.Next(0, i % 20 == 0 ? 200_000 : 2_000)];
            random.NextBytes(bytes);
            sent.AddRange(bytes);
            await _cut.WriteAsync(bytes);
            (sent.Count - _below.Written.Count()).Should().BeLessThanOrEqualTo(64 << 10, "the seed is {0}", seed);
        }
        await _cut.EndAsync();

        _below.Written.Should().Equal(sent, "the seed is {0}", seed);
    }

    [Fact]
    public async Task What_must_not_wait_can_be_pushed_out()
    {
        await _cut.BeginAsync(100);
        await _cut.WriteAsync(new byte[] { 1 });
        await _cut.PushAsync();
        var pushed = _below.Writes.Count;
        await _cut.WriteAsync(new byte[] { 2 });
        await _cut.EndAsync();

        pushed.Should().Be(1);
        _below.Written.Should().Equal(1, 2);
    }

    [Fact]
    public async Task A_failure_below_is_told_at_the_end_and_the_stream_goes_on_failing()
    {
        await _cut.BeginAsync(100);
        await _cut.WriteAsync(new byte[] { 1 });
        _below.IsBroken = true;

        await _cut.Invoking(one => one.EndAsync().AsTask()).Should().ThrowAsync<IOException>();
        await _cut.Invoking(one => one.WriteAsync(new byte[] { 2 }).AsTask()).Should().ThrowAsync<IOException>();
        _below.Writes.Should().BeEmpty();
    }

    [Fact]
    public async Task It_reads_far_ahead_and_hands_out_what_is_asked_for()
    {
        _below.ToRead.Enqueue([1, 2, 3, 4, 5]);
        _below.ToRead.Enqueue([6]);
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
        _below.Reads.Should().Be(4, "a wait, two pieces and the end");
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
