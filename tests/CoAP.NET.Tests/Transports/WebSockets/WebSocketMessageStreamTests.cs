using System.IO.Pipelines;
using System.Net.WebSockets;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports.WebSockets;

/// <summary>Messages of a WebSocket. The tests write and read its frames by hand (RFC 6455, section 5.2; RFC 8323, section 4.2).</summary>
public sealed class WebSocketMessageStreamTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly WebSocketLimits _limits = new(1000, TimeSpan.FromSeconds(60), TimeProvider.System, ServerLimits.LedgerOf(new CoapClientSettings())) { AbortAboveSize = 2000 };
    private readonly Pipe _toServer = new();
    private readonly Pipe _toClient = new();
    private readonly WriteCounter _inner;
    private readonly WebSocketMessageStream _cut;
    private readonly byte[] _buffer = new byte[16 << 10];

    public WebSocketMessageStreamTests()
    {
        _inner = new WriteCounter(_toServer.Reader.AsStream(), _toClient.Writer.AsStream());
        var stream = new CoalescingStream(_inner);
        _cut = new WebSocketMessageStream(WebSocket.CreateFromStream(stream, new WebSocketCreationOptions { IsServer = true }), _limits, _limits.ChargeOf(PeerIdentity.From("peer"), credentials: null), stream);
    }

    public void Dispose() => _cut.Dispose();

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task Messages_that_are_ready_at_once_go_out_in_one_write_and_stay_a_binary_message_each()
    {
        // Len 0 and 2; no token and one; GET and 2.05 with a payload
        await _cut.WriteAsync(Hex.Bytes("00 01   21 45 7a ff 41   00 02"));

        (await ReadSentAsync(15)).Should().Be(Hex.Text(Hex.Bytes(
            "82 02 00 01" +             // FIN, binary, 2 bytes
            "82 05 01 45 7a ff 41" +
            "82 02 00 02")));
        _inner.Writes.Should().Be(1);
    }

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task A_message_that_comes_in_two_pieces_is_one_message_in_two_frames()
    {
        await _cut.WriteAsync(Hex.Bytes("00 01   21 45 7a"));
        await _cut.WriteAsync(Hex.Bytes("ff 41   00 02"));

        // The message of the token 7a begins in a frame without FIN and ends in a continuation.
        (await ReadSentAsync(17)).Should().Be(Hex.Text(Hex.Bytes("82 02 00 01  02 03 01 45 7a  80 02 ff 41  82 02 00 02")));
        _inner.Writes.Should().Be(2);
    }

    [Fact, Trait("RFC", "8323 4.2")]
    public async Task All_messages_that_are_there_are_read_at_once()
    {
        await ReceiveAsync("82 82 00000000 00 01" + "82 84 00000000 01 45 7a ff" + "82 82 00000000 00 02");

        (await ReadAsync()).Should().Be(Hex.Text(Hex.Bytes("00 01   11 45 7a ff   00 02")), "each message has its length");
    }

    [Fact]
    public async Task A_message_that_is_whole_does_not_wait_for_the_rest_of_the_next_one()
    {
        await ReceiveAsync("82 82 00000000 00 01" + "82 84 00000000 01 45");
        var first = await ReadAsync();
        var second = ReadAsync();
        var wasThere = second.IsCompleted;

        await ReceiveAsync("7a ff");

        first.Should().Be("0001");
        wasThere.Should().BeFalse();
        (await second.WaitAsync(Patience)).Should().Be("11457aff");
    }

    [Theory]
    [InlineData("81 81 00000000 41", "binary", 1003)]
    [InlineData("82 fe 07d1 00000000 [2001]", "more than 2000 bytes", 1009)]
    [InlineData("02 fe 07d0 00000000 [2000] 80 81 00000000 00", "more than 2000 bytes", 1009)]
    [Trait("RFC", "8323 4.2")]
    public async Task Messages_before_a_malformed_one_are_read_first(string bad, string why, int status)
    {
        await ReceiveAsync("82 82 00000000 00 01" + bad.Replace("[2001]", new string('0', 4002), StringComparison.Ordinal).Replace("[2000]", new string('0', 4000), StringComparison.Ordinal));

        var good = await ReadAsync();
        var read = () => ReadAsync().WaitAsync(Patience);

        good.Should().Be("0001");
        (await read.Should().ThrowAsync<IOException>()).WithMessage($"*{why}*");
        ((int)_cut.Refusal!.Status).Should().Be(status);
        _cut.Refusal.CloseDescription.Length.Should().BeLessThanOrEqualTo(123);
    }

    // The message keeps a length over the limit, so that the channel refuses it as over TCP.
    [Theory, Trait("RFC", "8323 4.2"), Trait("RFC", "8323 5.3.1")]
    [InlineData("82 fe 03e9 00000000 01 02 7a [998]")]
    [InlineData("02 fe 03e9 00000000 01 02 7a [998] 00 fe 0300 00000000 [768] 80 81 00000000 00")]
    public async Task A_message_that_is_too_large_is_shortened_and_the_next_one_is_read(string large)
    {
        await ReceiveAsync(large.Replace("[998]", new string('0', 1996), StringComparison.Ordinal).Replace("[768]", new string('0', 1536), StringComparison.Ordinal) + "82 82 00000000 00 01");

        var read = "";
        while (!read.EndsWith("0001", StringComparison.Ordinal)) { read += await ReadAsync(); }

        read.Should().Be("e102d9" + "027a" + new string('0', 1996) + "0001", "Len 14: 269 and 729 bytes, POST, token 7a");
    }

    [Theory, Trait("RFC", "8323 5.6")]
    [InlineData("82 81 00000000 00"), InlineData("82 80 00000000"), InlineData("82 83 00000000 04 01 aa")]
    public async Task A_truncated_message_is_reported_as_ending_too_early(string bad)
    {
        await ReceiveAsync("82 82 00000000 00 01" + bad + "82 82 00000000 00 02");

        var read = await ReadAsync();

        read.Should().Be("0001" + "10e101" + "0002", "Len 1, and an option that has one byte of its two");
    }

    [Fact]
    public async Task After_the_close_of_the_peer_its_reason_is_known_and_our_last_messages_go_out()
    {
        await ReceiveAsync("88 82 00000000 03 f3");      // Close, 1011

        var end = await ReadAsync();
        await _cut.WriteAsync(Hex.Bytes("00 e4   00 e5"));

        end.Should().BeEmpty();
        _cut.CloseReason.Should().Contain("1011").And.Contain("InternalServerError");
        (await ReadSentAsync(8)).Should().Be("820200e4820200e5");
    }

    private async Task ReceiveAsync(string hex) => await _toServer.Writer.WriteAsync(Hex.Bytes(hex));

    // Reads as a connection does: waits with an empty buffer, then reads what is available.
    private async Task<string> ReadAsync()
    {
        (await _cut.ReadAsync(Memory<byte>.Empty)).Should().Be(0);
        var count = await _cut.ReadAsync(_buffer);
        return Hex.Text(_buffer.AsSpan(0, count));
    }

    private async Task<string> ReadSentAsync(int count)
    {
        var read = await _toClient.Reader.ReadAtLeastAsync(count).AsTask().WaitAsync(Patience);
        var text = Hex.Text(System.Buffers.BuffersExtensions.ToArray(read.Buffer));
        _toClient.Reader.AdvanceTo(read.Buffer.End);
        return text;
    }

    private sealed class WriteCounter(Stream input, Stream output) : Stream
    {
        public int Writes { get; private set; }

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => input.ReadAsync(buffer, cancellationToken);

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Writes++;
            return output.WriteAsync(buffer, cancellationToken);
        }

        public override void Flush() => throw new NotSupportedException();

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
