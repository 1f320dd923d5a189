using System.ComponentModel;

namespace CoAP.Benchmarks.Load;

/// <summary>Addresses for attackers. The server trusts the loopback addresses, so forged ones come from the range for benchmarks (RFC 2544).</summary>
/// <remarks>All addresses of the range are local in a network namespace of this measurement, which needs no root where users may create one.</remarks>
internal static class AttackNetwork
{
    /// <summary>The first forged address, 198.18.0.0, as a number, and the number of addresses after it that attackers forge.</summary>
    public const uint FirstForged = 0xC612_0000, Forged = 1 << 16;

    private const string Prepare = "ip link set lo up && ip route add local 198.18.0.0/15 dev lo && exec \"$0\" \"$@\"";

    /// <summary>The address of honest peers over UDP.</summary>
    public static IPAddress Honest { get; } = new([198, 19, 255, 1]);

    /// <summary>Whether the addresses are local.</summary>
    public static bool Exists
    {
        get
        {
            try
            {
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
                socket.Bind(new IPEndPoint(Honest, 0));
                return true;
            }
            catch (SocketException)
            {
                return false;
            }
        }
    }

    /// <summary>Returns an address whose owner reads what it gets.</summary>
    public static IPAddress Verified(int number) => new([198, 19, 0, (byte)(1 + number)]);

    /// <summary>Returns an address that an attacker uses as if it were its own.</summary>
    public static IPAddress ForgedAddress(int number) => new([198, 18, 0, (byte)(1 + number)]);

    /// <summary>Repeats this command in a network of its own and returns its exit code; <c>null</c> if that is not possible here.</summary>
    public static async Task<int?> RepeatInsideAsync()
    {
        try
        {
            using (var probe = Process.Start("unshare", ["--map-root-user", "--net", "true"]))
            {
                await probe.WaitForExitAsync();
                if (probe.ExitCode != 0) { return null; }
            }
            string[] command = [.. ServerProcess.OwnProgram(), "attacks", .. Environment.GetCommandLineArgs()[2..]];
            using var process = Process.Start("unshare", ["--map-root-user", "--net", "sh", "-c", Prepare, .. command]);
            await process.WaitForExitAsync();
            return process.ExitCode;
        }
        catch (Win32Exception)
        {
            return null;
        }
    }
}
