namespace CoAP.Benchmarks.Load;

/// <summary>Bytes that are not messages.</summary>
internal static class Garbage
{
    private const int Seed = 8323, Lingering = 128;

    private static readonly Random Random = new(Seed);

    public static int OpenConnections(Target target, TimeSpan time)
    {
        var lingering = new Queue<Socket>();
        var count = Attack.AtRate(target.FloodRate / 4, time, number =>
        {
            var socket = Attack.Connect(target.PortOf("tcp"), number);
            Attack.Send(socket, [.. StreamFrame.Csm, .. Frame(number)]);
            lingering.Enqueue(socket);
            if (lingering.Count > Lingering) { Attack.Reset(lingering.Dequeue()); }
        });
        foreach (var socket in lingering) { Attack.Reset(socket); }
        return count;
    }

    public static int SendDatagrams(Target target, TimeSpan time)
    {
        using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Connect(IPAddress.Loopback, target.PortOf("udp"));
        return Attack.AtRate(target.FloodRate, time, number => Attack.Send(socket, number % 2 == 0 ? Bytes(1, 200) : [(byte)(0x40 | Random.Next(16)), .. Bytes(3, 60)]));
    }

    private static byte[] Frame(int number) => (number % 6) switch
    {
        0 => [(byte)(number / 6), .. Bytes(1, 40)],                           // every first byte in turn
        1 => [0xF0, 0xFF, 0xFF, 0xFF, 0xFF, 0x02, .. Bytes(1, 40)],           // 4 GiB are announced
        2 => [(byte)Random.Next(9, 16), 0x01, .. Bytes(16, 40)],              // a token of 9 to 15 bytes
        3 => [0x10, (byte)Random.Next(0xE1, 0xE6), 0x90],                     // a signal with a critical option
        4 => [0x20, 0x01, 0xF1, 0x00],                                        // an option delta of 15
        _ => Bytes(1, 300),
    };

    private static byte[] Bytes(int least, int most)
    {
        var bytes = new byte[Random.Next(least, most)];
        Random.NextBytes(bytes);
        return bytes;
    }
}
