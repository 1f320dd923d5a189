using CoAP.Measurements.HandOffs.Ends;
using CoAP.Transports;

namespace CoAP.Measurements.HandOffs.Rungs;

/// <summary>The library's own transport within a process, at both ends as a lane uses it: take what is there, else sleep.</summary>
internal static class InMemory
{
    public static IPair Open(Placement placement)
    {
        var network = new InMemoryNetwork();
        var (asking, echoing) = (new End(network, "asking", "echoing"), new End(network, "echoing", "asking"));
        return new ThreadPair<Turn>(new Turn(asking), echoing.Stop, echoing.Echo, placement);
    }

    private sealed class End(InMemoryNetwork network, string name, string other) : IDatagramReceiver
    {
        private readonly IDatagramTransport _transport = network.OpenDatagrams(PeerIdentity.From(name));
        private readonly ChannelKey _key = new(PeerIdentity.From(other), PeerIdentity.From(name));
        private volatile bool _isOver;
        private int _came;

        public void Send() => _transport.Send(_key, []);

        public void Receive()
        {
            var wanted = _came + 1;
            while (_came < wanted && !_isOver)
            {
                if (_transport.Receive(this) == 0) { _transport.Wait(Timeout.InfiniteTimeSpan); }
            }
        }

        public void Echo()
        {
            while (!_isOver)
            {
                Receive();
                Send();
            }
        }

        public void Stop()
        {
            _isOver = true;
            _transport.Wake();
        }

        void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => _came++;

        void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, System.Net.Sockets.SocketError error) =>
            throw new InvalidOperationException($"{error}");
    }

    private readonly struct Turn(End end) : ITurn
    {
        public void ThereAndBack()
        {
            end.Send();
            end.Receive();
        }
    }
}
