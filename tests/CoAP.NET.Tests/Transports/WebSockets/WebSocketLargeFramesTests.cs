using System.Buffers.Binary;
using System.IO.Pipelines;
using System.Net.WebSockets;
using CoAP.Testing;
using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

/// <summary>Large messages of a WebSocket in frames that are written here by hand (RFC 6455, sections 5.2 and 5.4), with other messages around them.</summary>
public sealed class WebSocketLargeFramesTests : IDisposable
{
    private const int Size = 200_000;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);
    private static readonly byte[] Payload = [.. Enumerable.Range(0, Size).Select(at => (byte)(at * 31 / 7))];

    // Len 15 and a length of four bytes over 65,805 (RFC 8323, section 3.2); POST, the marker
    private static readonly byte[] Expected = [0xF0, .. Hex.Bytes("00 02 0c 34"), 0x02, 0xFF, .. Payload];

    private readonly Pipe _toServer = new(new PipeOptions(pauseWriterThreshold: 0));
    private readonly Pipe _toClient = new();
    private readonly ManualTime _time = new();
    private readonly StreamBudget _budget = new(1 << 30);
    private readonly WebSocketFrames _cut;

    public WebSocketLargeFramesTests()
    {
        var gathering = new GatheringStream(new TwoWay(_toServer.Reader, _toClient.Writer.AsStream()));
        var socket = WebSocket.CreateFromStream(gathering, new WebSocketCreationOptions { IsServer = true });
        _cut = new WebSocketFrames(socket, new WebSocketLimits(1 << 20, TimeSpan.FromSeconds(60), _time, _budget), gathering);
    }

    public void Dispose() => _cut.Dispose();

    [Theory, InlineData(1), InlineData(3), InlineData(1000)]
    [Trait("RFC", "8323 4.3")]
    public async Task A_large_message_in_any_number_of_frames_comes_out_whole_between_its_neighbours(int frames)
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames);
        await SendAsync("00 02");

        var read = await ReadAsync(2 + Expected.Length + 2);

        read.Should().Equal([0x00, 0x01, .. Expected, 0x00, 0x02]);
        _budget.Used.Should().Be(0, "nothing of it is kept");
    }

    [Fact]
    public async Task A_connection_that_is_closed_in_the_middle_of_a_message_gives_back_its_room()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        var whole = await ReadAsync(2);
        var next = _cut.ReadAsync(new byte[1000]).AsTask();
        var used = _budget.Used;

        _cut.Dispose();
        await Record.ExceptionAsync(() => next.WaitAsync(Patience));

        whole.Should().Equal(0x00, 0x01);
        used.Should().BePositive();
        _budget.Used.Should().Be(0);
    }

    [Fact]
    public async Task A_connection_that_nobody_reads_gives_back_its_room_when_it_is_closed()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        await ReadAsync(2);         // the receive of the rest goes on behind it
        var used = _budget.Used;

        _cut.Dispose();
        await Task.Run(() => SpinWait.SpinUntil(() => _budget.Used == 0, Patience));

        used.Should().BePositive();
        _budget.Used.Should().Be(0);
    }

    [Fact]
    public async Task A_message_that_is_not_whole_in_time_fails_and_keeps_nothing()
    {
        await SendLargeAsync(frames: 3, sent: 2);
        var read = _cut.ReadAsync(new byte[1000]).AsTask();
        await WaitForRoomAsync();

        _time.Advance(TimeSpan.FromSeconds(61));
        var failure = await Record.ExceptionAsync(() => read.WaitAsync(Patience));

        failure.Should().BeOfType<IOException>().Which.Message.Should().Contain("00:01:00");
        _budget.Used.Should().Be(0);
    }

    [Fact]
    public async Task The_time_in_which_nobody_reads_is_not_the_peers()
    {
        await SendAsync("00 01");
        await SendLargeAsync(frames: 3, sent: 2);
        await ReadAsync(2);

        _time.Advance(TimeSpan.FromSeconds(100));
        await SendLargeAsync(frames: 3, first: 2);

        (await ReadAsync(Expected.Length)).Should().Equal(Expected);
    }

    private async Task WaitForRoomAsync()
    {
        var watch = System.Diagnostics.Stopwatch.StartNew();
        while (_budget.Used == 0 && watch.Elapsed < Patience) { await Task.Yield(); }
    }

    private async Task SendAsync(string message) => await _toServer.Writer.WriteAsync(Frame(Hex.Bytes(message), 0x82));

    /// <summary>Sends some frames of the message: Len 0, POST, the marker and the payload.</summary>
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

    // As a connection reads: it waits for something with an empty buffer, then takes what is there.
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

    private sealed class TwoWay(PipeReader reader, Stream output) : Stream
    {
        private readonly Stream _input = reader.AsStream(leaveOpen: true);

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => _input.ReadAsync(buffer, cancellationToken);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) => output.WriteAsync(buffer, cancellationToken);

        public override void Flush() => throw new NotSupportedException();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        protected override void Dispose(bool disposing)
        {
            reader.CancelPendingRead();     // as the end of a socket ends what reads from it
            output.Dispose();
            base.Dispose(disposing);
        }
    }
}
