using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Observing;

/// <summary>The client's end of a connection with observations. It reads only when the test tells it to.</summary>
internal sealed class ReadingObserver
{
    private readonly IStreamConnection _connection;
    private readonly byte[] _buffer = new byte[64 << 10];

    public ReadingObserver(IStreamConnection connection, string csm)
    {
        _connection = connection;
        Send(Hex.Bytes(csm));
    }

    /// <summary>The number of bytes that were read.</summary>
    public long Count { get; private set; }

    /// <summary>The last byte that was read.</summary>
    public byte Last { get; private set; }

    /// <summary>Observes the resource with a path of one letter. The letter is the token too.</summary>
    public void Register(byte path) => Send([0x31, 0x01, path, 0x60, 0x51, path]);

    /// <summary>Reads what there is; returns <see langword="false"/> if there is nothing.</summary>
    public bool Read()
    {
        var before = Count;
        while (_connection.Receive(_buffer, out var count) == StreamOutcome.Done)
        {
            Count += count;
            Last = _buffer[count - 1];
        }
        return Count > before;
    }

    public void Close() => _connection.Dispose();

    private void Send(ReadOnlySpan<byte> bytes)
    {
        _connection.Send(bytes, out var count).Should().Be(StreamOutcome.Done);
        count.Should().Be(bytes.Length);
    }
}
