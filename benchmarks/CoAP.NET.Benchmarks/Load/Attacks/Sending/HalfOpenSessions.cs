namespace CoAP.Benchmarks.Load;

/// <summary>Ports of a few addresses that begin DTLS handshakes, return the cookie (RFC 6347, section 4.2.1), and then say nothing more.</summary>
internal static class HalfOpenSessions
{
    private const int Addresses = 16, Ports = 1000, SlowPorts = 20, TypeAt = 13, CookieLengthAt = 13 + 12 + 2, Largest = 2048;
    private const byte HelloVerifyRequest = 3;
    private const double SlowRate = 20;

    public static Sent Run(Target target, TimeSpan time)
    {
        var ports = target.Pace == Pace.Fast ? Ports : SlowPorts;
        var sockets = Enumerable.Range(0, ports).Select(number => Open(target, number % Addresses)).ToArray();
        var answer = new byte[Largest];
        var begun = 0;
        var count = Attack.AtRate(target.RateOf(target.FloodRate * ForgedFlood.BodyShare, SlowRate), time, number =>
        {
            // A port sends a hello without a cookie, and the same with it when it has the turn again.
            var (turn, port) = Math.DivRem(number, ports);
            var cookie = turn % 2 == 0 ? default : ReadCookie(sockets[port], answer);
            begun += cookie.IsEmpty ? 0 : 1;
            sockets[port].Send(Hello(cookie, (turn / 2 * ports) + port), SocketFlags.None, out _);
        });
        foreach (var socket in sockets) { socket.Dispose(); }
        return new(count, $"{begun} handshakes begun");
    }

    /// <summary>Returns a ClientHello for a pre-shared key (TLS_PSK_WITH_AES_128_CCM_8) in a record.</summary>
    public static byte[] Hello(ReadOnlySpan<byte> cookie, int number)
    {
        var sequence = (byte)(cookie.IsEmpty ? 0 : 1);
        byte[] body = [0xFE, 0xFD, .. BitConverter.GetBytes(number), .. new byte[28], 0, (byte)cookie.Length, .. cookie, 0, 4, 0xC0, 0xA8, 0, 0xFF, 1, 0];
        byte[] message = [1, 0, 0, (byte)body.Length, 0, sequence, 0, 0, 0, 0, 0, (byte)body.Length, .. body];
        return [22, 0xFE, 0xFF, 0, 0, 0, 0, 0, 0, 0, sequence, 0, (byte)message.Length, .. message];
    }

    // The newest of the answers.
    private static ReadOnlySpan<byte> ReadCookie(Socket socket, byte[] answer)
    {
        ReadOnlySpan<byte> cookie = default;
        for (int length; (length = socket.Receive(answer, SocketFlags.None, out _)) > 0;)
        {
            if (answer[TypeAt] == HelloVerifyRequest) { cookie = answer.AsSpan(0, length)[(CookieLengthAt + 1)..].ToArray(); }
        }
        return cookie;
    }

    private static Socket Open(Target target, int address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { Blocking = false };
        socket.Bind(new IPEndPoint(AttackNetwork.Verified(address), 0));
        socket.Connect(IPAddress.Loopback, target.PortOf("dtls"));
        return socket;
    }
}
