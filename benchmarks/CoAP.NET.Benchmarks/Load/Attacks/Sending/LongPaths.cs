namespace CoAP.Benchmarks.Load;

/// <summary>Datagrams from forged addresses, each with a path of as many segments as fit into it: 64 kB and one packet in turn.</summary>
internal static class LongPaths
{
    // Datagrams of 64 kB need one socket for each address.
    private const int Addresses = 64, Segments = 32_000, SegmentsOfPacket = 550;
    private const double Rate = 500, SlowRate = 5;

    public static Sent Run(Target target, TimeSpan time)
    {
        byte[][] datagrams = [AttackRequests.LongPath(Segments).ToDatagram(), AttackRequests.LongPath(SegmentsOfPacket).ToDatagram()];
        var sockets = Enumerable.Range(0, Addresses).Select(number => Open(target, number)).ToArray();
        var count = Attack.AtRate(target.RateOf(Rate, SlowRate), time, number =>
        {
            var datagram = datagrams[number % datagrams.Length];
            Numberings.Tokens(datagram, number);
            sockets[number % sockets.Length].Send(datagram, SocketFlags.None, out _);
        });
        foreach (var socket in sockets) { socket.Dispose(); }
        return new(count);
    }

    private static Socket Open(Target target, int number)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        socket.Bind(new IPEndPoint(AttackNetwork.ForgedAddress(number), 0));
        socket.Connect(IPAddress.Loopback, target.PortOf("udp"));
        return socket;
    }
}
