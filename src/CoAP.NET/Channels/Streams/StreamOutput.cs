using System.Buffers;
using CoAP.Transports;

namespace CoAP.Channels;

/// <summary>What a connection has yet to send: collected during a turn of the lane and sent at its end. Holds no memory while there is nothing.</summary>
internal sealed class StreamOutput(IStreamConnection connection)
{
    private const int LeastRoom = 4096;

    private byte[] _collected = [];
    private byte[]? _armed;
    private int _count;
    private int _armedCount;

    /// <summary>The bytes that are still here.</summary>
    public int Unsent => _count + _armedCount;

    /// <summary>Whether the transport holds bytes until the peer makes room.</summary>
    public bool IsArmed => _armed is not null;

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_count + bytes.Length > _collected.Length) { Grow(_count + bytes.Length); }
        bytes.CopyTo(_collected.AsSpan(_count));
        _count += bytes.Length;
    }

    /// <summary>Sends what was collected, unless the transport still has earlier bytes; <see langword="false"/> where the connection is broken.</summary>
    public bool TryFlush()
    {
        if (_armed is not null || _count == 0) { return true; }
        var outcome = connection.Send(_collected.AsSpan(0, _count), out var sent);
        if (outcome is StreamOutcome.Failed or StreamOutcome.Ended) { return false; }
        if (sent == _count)
        {
            Release(ref _collected);
            _count = 0;
            return true;
        }
        (_armed, _armedCount) = (_collected, _count - sent);
        (_collected, _count) = ([], 0);
        connection.ArmSend(_armed.AsMemory(sent, _armedCount));
        return true;
    }

    /// <summary>The transport has sent what it held.</summary>
    public void OnSent()
    {
        if (_armed is { } armed) { Release(ref armed); }
        (_armed, _armedCount) = (null, 0);
    }

    /// <summary>Nothing more is sent. Bytes that the transport holds stay away from the pool: it may read them a little longer.</summary>
    public void Abandon()
    {
        Release(ref _collected);
        (_count, _armed, _armedCount) = (0, null, 0);
    }

    private static void Release(ref byte[] buffer)
    {
        if (buffer.Length > 0) { ArrayPool<byte>.Shared.Return(buffer); }
        buffer = [];
    }

    private void Grow(int needed)
    {
        var grown = ArrayPool<byte>.Shared.Rent(Math.Max(LeastRoom, Math.Max(needed, (int)Math.Min(2L * _collected.Length, Array.MaxLength))));
        _collected.AsSpan(0, _count).CopyTo(grown);
        Release(ref _collected);
        _collected = grown;
    }
}
