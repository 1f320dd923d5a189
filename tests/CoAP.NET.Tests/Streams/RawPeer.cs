using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Streams;

/// <summary>The other end of a connection, byte by byte: says what the test tells it to and shows what came.</summary>
internal sealed class RawPeer : IStreamEvents, IDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(3);

    private const int SmallRead = 16 << 10;
    private const int LargeRead = 1 << 20;

    private readonly IStreamConnection _connection;
    private byte[] _received = new byte[2 * SmallRead];
    private int _start;
    private int _end;
    private TaskCompletionSource _readable = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource? _writable;

    public RawPeer(IStreamConnection connection)
    {
        _connection = connection;
        connection.Attach(this);
    }

    /// <summary>Opens a connection to an in-memory endpoint.</summary>
    public static RawPeer Connect(InMemoryNetwork network, string name) =>
        new(network.Connect(PeerIdentity.From("raw"), PeerIdentity.From(name)));

    /// <summary>Opens a connection, exchanges CSMs without options, and forgets them.</summary>
    public static async Task<RawPeer> OpenAsync(InMemoryNetwork network, string name)
    {
        var peer = Connect(network, name);
        peer.Send("00 e1");
        (await peer.ReadAsync())![2..4].Should().Be("e1", "the first message is a CSM");
        return peer;
    }

    public void OnReadable() => _readable.TrySetResult();

    public void OnWritable() => _writable?.TrySetResult();

    public void Send(string hex) => Send(Hex.Bytes(hex)).Should().BeTrue("there is room");

    /// <summary>Sends what there is room for, and tells whether that was all.</summary>
    public bool Send(ReadOnlySpan<byte> bytes) => SendSome(bytes) == bytes.Length;

    public int SendSome(ReadOnlySpan<byte> bytes)
    {
        _connection.Send(bytes, out var count);
        return count;
    }

    /// <summary>Whether the other side has not made room for all that <see cref="SendAsync"/> was given.</summary>
    public bool IsHeldBack => _writable is { Task.IsCompleted: false };

    /// <summary>Sends all, as the other side makes room.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> bytes)
    {
        var count = SendSome(bytes.Span);
        if (count == bytes.Length) { return; }
        _writable = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _connection.ArmSend(bytes[count..]);
        await _writable.Task.WaitAsync(Patience);
    }

    /// <summary>Takes so many bytes of what is there, at most, and tells how many that were.</summary>
    public int Take(int most)
    {
        Receive(most, out var count);
        return count;
    }

    /// <summary>Takes one byte as soon as there is one.</summary>
    public async Task TakeFirstAsync()
    {
        while (Receive(1, out _) is var outcome && outcome != StreamOutcome.Done)
        {
            outcome.Should().Be(StreamOutcome.WouldBlock, "a byte has to come before the end");
            await ReadableAsync();
        }
    }

    /// <summary>The first bytes that were received and not cut yet, once they are there.</summary>
    public byte[] Peek(int count)
    {
        while (Cut.Length < count) { Take(count - Cut.Length); }
        return Cut[..count].ToArray();
    }

    /// <summary>The next message in hexadecimal; none at the end of the connection.</summary>
    public async Task<string?> ReadAsync()
    {
        while (true)
        {
            if (TryCut() is { } message) { return message; }
            if (await ReceiveAsync() == StreamOutcome.Ended) { return Cut.IsEmpty ? null : throw new InvalidOperationException("The end is inside a message."); }
        }
    }

    /// <summary>So many messages in hexadecimal.</summary>
    public async Task<List<string?>> ReadAsync(int count)
    {
        var messages = new List<string?>();
        while (messages.Count < count) { messages.Add(await ReadAsync()); }
        return messages;
    }

    public void EndSending() => _connection.EndSending();

    public void Dispose() => _connection.Dispose();

    // What was received and not cut yet.
    private ReadOnlySpan<byte> Cut => _received.AsSpan(_start, _end - _start);

    private async Task<StreamOutcome> ReceiveAsync()
    {
        while (true)
        {
            var outcome = Receive((int)Math.Clamp(NextLength() - (_end - _start), SmallRead, LargeRead), out _);
            if (outcome != StreamOutcome.WouldBlock) { return outcome; }
            await ReadableAsync();
        }
    }

    private async Task ReadableAsync()
    {
        _readable = new(TaskCreationOptions.RunContinuationsAsynchronously);
        _connection.ArmReceive();
        await _readable.Task.WaitAsync(Patience);
    }

    private StreamOutcome Receive(int most, out int count)
    {
        if (_received.Length - _end < most)
        {
            var next = new byte[Math.Max(_received.Length, 2 * (_end - _start + most))];
            Cut.CopyTo(next);
            (_received, _start, _end) = (next, 0, _end - _start);
        }
        var outcome = _connection.Receive(_received.AsSpan(_end, most), out count);
        _end += count;
        return outcome;
    }

    private string? TryCut()
    {
        var length = NextLength();
        if (length == 0 || Cut.Length < length) { return null; }
        var message = Hex.Text(Cut[..(int)length]);
        _start += (int)length;
        return message;
    }

    // A second computation of RFC 8323, section 3.2, for tokens of up to twelve bytes. 0 as long as the length is not known.
    private long NextLength()
    {
        var cut = Cut;
        if (cut.Length < 6 && (cut.IsEmpty || cut.Length < 2 + (cut[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 })) { return 0; }
        long length = (cut[0] >> 4) switch
        {
            13 => 3 + 13 + cut[1],
            14 => 4 + 269 + (cut[1] << 8) + cut[2],
            15 => 6 + 65_805 + ((long)cut[1] << 24) + (cut[2] << 16) + (cut[3] << 8) + cut[4],
            var nibble => 2 + nibble,
        };
        return length + (cut[0] & 15);
    }
}
