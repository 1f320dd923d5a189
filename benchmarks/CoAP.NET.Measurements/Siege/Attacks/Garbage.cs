using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.HandWritten;

namespace CoAP.Measurements.Siege.Attacks;

/// <summary>Bytes that are no messages, each on a connection or in a datagram of its own.</summary>
internal sealed class Garbage(string name, string what, bool isDatagrams) : Attack(name, what)
{
    private const int Seed = 8323;
    private const int Lingering = 128;

    private readonly Random _random = new(Seed);

    public override int Run(TimeSpan time) => isDatagrams ? SendDatagrams(time) : OpenConnections(time);

    private int OpenConnections(TimeSpan time)
    {
        var lingering = new Queue<Socket>();
        var count = AtRate(Target.FloodRate / 4, time, number =>
        {
            var socket = Connect(Target.PortOf("tcp"), number);
            TrySend(socket, [.. HandWrittenRequest.Csm, .. Frame(number)]);
            lingering.Enqueue(socket);
            if (lingering.Count > Lingering) { Reset(lingering.Dequeue()); }
        });
        foreach (var socket in lingering) { Reset(socket); }
        return count;
    }

    private int SendDatagrams(TimeSpan time)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(IPAddress.Loopback, Target.PortOf("udp"));
        return AtRate(Target.FloodRate, time, number => TrySend(socket, number % 2 == 0 ? RandomBytes(1, 200) : [(byte)(0x40 | _random.Next(16)), .. RandomBytes(3, 60)]));
    }

    private byte[] Frame(int number) => (number % 6) switch
    {
        0 => [(byte)(number / 6), .. RandomBytes(1, 40)],                           // every first byte in turn
        1 => [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, .. RandomBytes(1, 40)],           // 4 GiB are announced
        2 => [(byte)_random.Next(9, 16), 0x01, .. RandomBytes(16, 40)],             // a token of 9 to 15 bytes
        3 => [0x10, (byte)_random.Next(0xE1, 0xE6), 0x90],                          // a signal with a critical option
        4 => [0x20, 0x01, 0xF1, 0x00],                                              // an option delta of 15
        _ => RandomBytes(1, 300),
    };

    private byte[] RandomBytes(int least, int most)
    {
        var bytes = new byte[_random.Next(least, most)];
        _random.NextBytes(bytes);
        return bytes;
    }
}
