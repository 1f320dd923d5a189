using System.Diagnostics;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Keeps what a transport delivers, and can echo each datagram.</summary>
internal sealed class UdpRecorder : IDatagramReceiver
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public List<(ChannelKey Key, byte[] Bytes)> Datagrams { get; } = [];

    public List<(ChannelKey Key, byte[] Quoted, SocketError Error)> Errors { get; } = [];

    public IDatagramTransport? Echo { get; init; }

    public void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        Datagrams.Add((key, datagram.ToArray()));
        Echo?.Send(key, datagram);
    }

    public List<(ChannelKey Key, byte[] Bytes)> GroupDatagrams { get; } = [];

    public void OnGroupDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => GroupDatagrams.Add((key, datagram.ToArray()));

    public void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error) =>
        Errors.Add((key, quoted.ToArray(), error));

    /// <summary>Receives until the condition holds, or fails after five seconds.</summary>
    public void ReceiveUntil(IDatagramTransport transport, Func<bool> isEnough)
    {
        var start = Stopwatch.GetTimestamp();
        while (true)
        {
            while (transport.Receive(this) > 0) { transport.Flush(); }
            if (isEnough()) { return; }
            var left = Patience - Stopwatch.GetElapsedTime(start);
            left.Should().BePositive("{0} datagrams and {1} errors came", Datagrams.Count, Errors.Count);
            transport.Wait(left);
        }
    }

    public void ReceiveCount(IDatagramTransport transport, int count) => ReceiveUntil(transport, () => Datagrams.Count >= count);
}
