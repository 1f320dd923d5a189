using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Benchmarks.Load;

/// <summary>A network namespace with a virtual cable to this one, like that of a container. It is removed in the end. Needs root and "ip".</summary>
internal sealed class TestNetwork : IDisposable
{
    // The range for benchmarks (RFC 2544), which no real network uses, with a subnet for each process.
    private static readonly string Subnet = $"198.18.{Environment.ProcessId % 256}";

    private readonly string _name = $"coap-{Environment.ProcessId}";

    // A measurement of hours may be interrupted, and would leave its network behind.
    private readonly PosixSignalRegistration[] _onInterrupt;

    private TestNetwork() => _onInterrupt = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM }.Select(signal => PosixSignalRegistration.Create(signal, _ => Remove()))];

    /// <summary>The address at the other end.</summary>
    public static string EchoAddress => Subnet + ".2";

    /// <summary>The program that starts another one at the other end.</summary>
    public string[] AtTheOtherEnd => ["ip", "netns", "exec", _name];

    /// <summary>Creates the network, or returns <c>null</c> and the reason why that is not possible.</summary>
    public static TestNetwork? TryCreate(out string reason)
    {
        var network = new TestNetwork();
        string[] steps =
        [
            $"netns add {network._name}",
            $"link add {network._name} type veth peer name cable netns {network._name}",
            $"addr add {Subnet}.1/24 dev {network._name}",
            $"-n {network._name} addr add {EchoAddress}/24 dev cable",
            $"link set {network._name} up",
            $"-n {network._name} link set cable up",
            // NetMQ wakes its threads over it.
            $"-n {network._name} link set lo up",
        ];
        reason = steps.Select(Ip).FirstOrDefault(static failure => failure.Length > 0) ?? "";
        if (reason.Length == 0) { return network; }
        network.Dispose();
        return null;
    }

    public void Dispose()
    {
        foreach (var registration in _onInterrupt) { registration.Dispose(); }
        Remove();
    }

    // The cable goes with the network.
    private void Remove() => Ip($"netns del {_name}");

    // Returns what went wrong.
    private static string Ip(string arguments)
    {
        try
        {
            using var ip = Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardError = true })!;
            var said = ip.StandardError.ReadToEnd();
            ip.WaitForExit();
            return ip.ExitCode == 0 ? "" : $"ip {arguments}: {said.Trim()}";
        }
        catch (Win32Exception failure)
        {
            return failure.Message;
        }
    }
}
