using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.WebSockets;
using CoAP.Accounting;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

/// <summary>Large messages of a WebSocket, with other messages around them. The tests write the frames by hand (RFC 6455, sections 5.2 and 5.4).</summary>
public sealed class WebSocketLargeMessageTests : IDisposable
{
    private const int Size = 200_000;
    private const int Limit = 1 << 30;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly byte[] Payload = [.. Enumerable.Range(0, Size).Select(index => (byte)(index * 31 / 7))];

    // Len 15 and a length of four bytes over 65,805 (RFC 8323, section 3.2); POST, the marker
    private static readonly byte[] Expected = [0xF0, .. Hex.Bytes("00 02 0c 34"), 0x02, 0xFF, .. Payload];

    private readonly Pipe _toServer = new(new PipeOptions(pauseWriterThreshold: 0));
    private readonly Pipe _toClient = new();
    private readonly ManualClock _time = new();
    private readonly InputRoom _room = new(new LedgerBook(Limit, Limit));
    private readonly TwoWay _network;
    private readonly WebSocketMessageStream _cut;

    public WebSocketLargeMessageTests()
    {
        _network = new TwoWay(_toServer.Reader, _toClient.Writer.AsStream());
        var stream = new CoalescingStream(_network);
        var socket = WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true });
        var limits = new WebSocketLimits(1 << 20, TimeSpan.FromSeconds(60), _time, ServerLimits.LedgerOf(new CoapClientSettings()));
        _cut = new WebSocketMessageStream(socket, limits, new WebSocketCharge(_room, Account.Of("peer")), stream);
    }

    public void Dispose() => _cut.Dispose();

    [Theory, InlineData(1), InlineData(3), InlineData(1000)]
    [Trait("RFC", "8323 4.2")]
    public async Task A_large_message_in_any_number_of_frames_comes_out_whole_between_its_neighbours(int frames)
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames);
        await SendAsync("00 02");

        var read = await ReadAsync(2 + Expected.Length + 2);

        read.Should().Equal([0x00, 0x01, .. Expected, 0x00, 0x02]);
        _room.Book.Used.Should().Be(0, "no part of it is kept");
    }

    [Theory, InlineData(70, 0), InlineData(40, 8 << 10), InlineData(6, 64 << 10)]
    public async Task The_start_of_a_message_counts_from_4_KiB_on(int frames, int expected)
    {
        await SendLargeAsync(frames, sent: 1);
        var read = _cut.ReadAsync(new byte[1000]).AsTask();
        await _network.WaitsForBytes.WaitAsync(Patience);

        _room.Book.Used.Should().Be(expected);
        _cut.Dispose();
        await Record.ExceptionAsync(() => read.WaitAsync(Patience));
        _room.Book.Used.Should().Be(0);
    }

    [Fact]
    public async Task A_message_without_progress_ends_while_its_account_uses_much_of_its_share()
    {
        _room.Count(Account.Of("peer"), Limit / 3);
        await SendLargeAsync(frames: 3, sent: 2);
        var read = _cut.ReadAsync(new byte[1000]).AsTask();
        await _network.WaitsForBytes.WaitAsync(Patience);

        _time.Advance(TimeSpan.FromSeconds(10));
        var isEarly = read.IsCompleted;
        _time.Advance(TimeSpan.FromSeconds(5));
        var failure = await Record.ExceptionAsync(() => read.WaitAsync(Patience));

        isEarly.Should().BeFalse();
        failure.Should().BeOfType<IOException>().Which.Message.Should().Be("A message arrived too slowly while its account used more than half of its share of memory.");
        _room.Book.HeldBy(Account.Of("peer")).Should().Be(Limit / 3);
    }

    [Fact]
    public async Task A_connection_that_is_closed_within_a_message_releases_its_memory()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        var whole = await ReadAsync(2);
        var next = _cut.ReadAsync(new byte[1000]).AsTask();
        var used = _room.Book.Used;

        _cut.Dispose();
        await Record.ExceptionAsync(() => next.WaitAsync(Patience));

        whole.Should().Equal(0x00, 0x01);
        used.Should().BePositive();
        _room.Book.Used.Should().Be(0);
    }

    [Fact]
    public async Task A_connection_without_a_reader_releases_its_memory_when_it_is_closed()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        await ReadAsync(2);         // the receive of the rest continues
        var used = _room.Book.Used;
        var released = WhenAllIsReleased();

        _cut.Dispose();

        used.Should().BePositive();
        await released.WaitAsync(Patience);
    }

    [Fact]
    public async Task A_message_that_exceeds_its_time_limit_fails_and_is_released()
    {
        await SendLargeAsync(frames: 3, sent: 2);
        var read = _cut.ReadAsync(new byte[1000]).AsTask();
        await _network.WaitsForBytes.WaitAsync(Patience);

        _time.Advance(TimeSpan.FromSeconds(61));
        var failure = await Record.ExceptionAsync(() => read.WaitAsync(Patience));

        failure.Should().BeOfType<IOException>().Which.Message.Should().Contain("00:01:00");
        _room.Book.Used.Should().Be(0);
    }

    [Fact]
    public async Task The_time_without_a_reader_does_not_count()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        await ReadAsync(2);

        _time.Advance(TimeSpan.FromSeconds(100));
        await SendLargeAsync(frames: 3, first: 2);

        (await ReadAsync(Expected.Length)).Should().Equal(Expected);
    }

    /// <summary>Completes when the connection holds no charge.</summary>
    private Task WhenAllIsReleased()
    {
        var waiter = new Waiter();
        _room.TryTake(waiter).Should().BeFalse("the connection holds bytes");
        return waiter.Granted;
    }

    private async Task SendAsync(string message) => await _toServer.Writer.WriteAsync(Frame(Hex.Bytes(message), 0x82));

    /// <summary>Sends some frames of a message: Len 0, POST, the marker and the payload.</summary>
    private async Task SendLargeAsync(int frames, int first = 0, int sent = int.MaxValue)
    {
        byte[] message = [0x00, 0x02, 0xFF, .. Payload];
        var parts = message.Chunk((message.Length + frames - 1) / frames).ToArray();
        for (var at = first; at < Math.Min(sent, parts.Length); at++)
        {
            // FIN is the first bit; 2 is a binary message, 0 a continuation.
            var start = (at == parts.Length - 1 ? 0x80 : 0) | (at == 0 ? 2 : 0);
            await _toServer.Writer.WriteAsync(Frame(parts[at], (byte)start));
        }
    }

    // With a length of eight bytes and a mask of zeros
    private static byte[] Frame(byte[] payload, byte start)
    {
        var length = new byte[8];
        BinaryPrimitives.WriteInt64BigEndian(length, payload.Length);
        return payload.Length < 126
            ? [start, (byte)(0x80 | payload.Length), 0, 0, 0, 0, .. payload]
            : payload.Length < 65_536 ? [start, 0xFE, .. length[6..], 0, 0, 0, 0, .. payload] : [start, 0xFF, .. length, 0, 0, 0, 0, .. payload];
    }

    // Reads as a connection does: waits with an empty buffer, then reads what is available.
    private async Task<byte[]> ReadAsync(int count)
    {
        var (all, buffer) = (new List<byte>(), new byte[16 << 10]);
        while (all.Count < count)
        {
            await _cut.ReadAsync(Memory<byte>.Empty).AsTask().WaitAsync(Patience);
            var read = await _cut.ReadAsync(buffer).AsTask().WaitAsync(Patience);
            all.AddRange(buffer.AsSpan(0, read));
        }
        return [.. all];
    }

    // The message needs the whole share of an account.
    private sealed class Waiter : InputWaiter
    {
        private readonly TaskCompletionSource _granted = new();

        public Waiter() : base(Account.Of("other")) => Size = Limit / 2;

        public Task Granted => _granted.Task;

        public override void OnGranted() => _granted.TrySetResult();
    }

    private sealed class TwoWay(PipeReader reader, Stream output) : Stream
    {
        private readonly Stream _input = reader.AsStream(leaveOpen: true);
        private readonly TaskCompletionSource _waits = new(TaskCreationOptions.RunContinuationsAsynchronously);

        /// <summary>Completes when a read has found no bytes, so that all bytes before it were processed.</summary>
        public Task WaitsForBytes => _waits.Task;

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var read = _input.ReadAsync(buffer, cancellationToken);
            if (!read.IsCompleted) { _waits.TrySetResult(); }
            return read;
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => output.WriteAsync(buffer, cancellationToken);

        public override void Flush() => throw new NotSupportedException();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            reader.CancelPendingRead();     // as the end of a socket ends a read
            output.Dispose();
            base.Dispose(disposing);
        }
    }
}
