using System.Net;
using System.Net.Sockets;

namespace CoAP.TestSupport;

/// <summary>Ports for servers that end and begin again at the same address.</summary>
/// <remarks>
/// A port that the system has chosen goes to any other socket of the machine once it is free. The system chooses none of these ports, and
/// each is given out once in a process.
/// </remarks>
internal static class LastingPorts
{
    private const int First = 10_000;
    private const int Count = 20_000;      // systems choose ports from 32,768 on

    private static int _last = Environment.ProcessId;   // the suites of several assemblies may run at the same time

    /// <summary>Returns a free UDP port of the loopback address.</summary>
    public static IPEndPoint NextUdp()
    {
        for (var attempt = 0; ; attempt++)
        {
            var address = new IPEndPoint(IPAddress.Loopback, First + ((Interlocked.Increment(ref _last) & int.MaxValue) % Count));
            using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            try
            {
                probe.Bind(address);
                return address;
            }
            catch (SocketException) when (attempt < Count)
            {
                // The port is taken.
            }
        }
    }
}
