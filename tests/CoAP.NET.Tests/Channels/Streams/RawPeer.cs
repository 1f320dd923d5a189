using CoAP.Testing;
using CoAP.Transports;

namespace CoAP.Tests.Channels;

/// <summary>The other end of a connection, byte by byte: says what the test tells it to and shows what came.</summary>
internal sealed class RawPeer : IStreamEvents, IDisposable
{
    public static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly IStreamConnection _connection;
    private readonly List<byte> _received = [];
    private TaskCompletionSource _readable = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _writable = new(TaskCreationOptions.RunContinuationsAsynchronously);

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

    public void OnWritable() => _writable.TrySetResult();

    public void Send(string hex) => Send(Hex.Bytes(hex)).Should().BeTrue("there is room");

    /// <summary>Sends what there is room for, and tells whether that was all.</summary>
    public bool Send(ReadOnlySpan<byte> bytes) => SendSome(bytes) == bytes.Length;

    public int SendSome(ReadOnlySpan<byte> bytes)
    {
        _connection.Send(bytes, out var count);
        return count;
    }

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
        var buffer = new byte[most];
        _connection.Receive(buffer, out var count);
        _received.AddRange(buffer.AsSpan(0, count));
        return count;
    }

    /// <summary>The first bytes that were received and not cut yet, once they are there.</summary>
    public byte[] Peek(int count)
    {
        while (_received.Count < count) { Take(count - _received.Count); }
        return [.. _received.Take(count)];
    }

    /// <summary>The next message in hexadecimal; none at the end of the connection.</summary>
    public async Task<string?> ReadAsync()
    {
        while (true)
        {
            if (TryCut() is { } message) { return message; }
            if (await ReceiveAsync() == StreamOutcome.Ended) { return _received.Count == 0 ? null : throw new InvalidOperationException("The end is inside a message."); }
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

    private async Task<StreamOutcome> ReceiveAsync()
    {
        var buffer = new byte[16 << 10];
        while (true)
        {
            var outcome = _connection.Receive(buffer, out var count);
            _received.AddRange(buffer.AsSpan(0, count));
            if (outcome != StreamOutcome.WouldBlock) { return outcome; }
            _readable = new(TaskCreationOptions.RunContinuationsAsynchronously);
            _connection.ArmReceive();
            await _readable.Task.WaitAsync(Patience);
        }
    }

    // A second computation of RFC 8323, section 3.2, for tokens of up to twelve bytes.
    private string? TryCut()
    {
        if (_received.Count < 6 && (_received.Count == 0 || _received.Count < 2 + (_received[0] >> 4) switch { 13 => 1, 14 => 2, 15 => 4, _ => 0 })) { return null; }
        long length = (_received[0] >> 4) switch
        {
            13 => 3 + 13 + _received[1],
            14 => 4 + 269 + (_received[1] << 8) + _received[2],
            15 => 6 + 65_805 + ((long)_received[1] << 24) + (_received[2] << 16) + (_received[3] << 8) + _received[4],
            var nibble => 2 + nibble,
        };
        length += _received[0] & 15;
        if (_received.Count < length) { return null; }
        var message = Hex.Text(_received.Take((int)length).ToArray());
        _received.RemoveRange(0, (int)length);
        return message;
    }
}
