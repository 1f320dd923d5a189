using System.Diagnostics;
using System.Runtime.InteropServices;

namespace CoAP.Measurements.HandOffs;

/// <summary>Two networks of our own with a cable between them, removed in the end. Needs the rights of an administrator, and "ip".</summary>
internal sealed class TestNetwork : IDisposable
{
    /// <summary>Addresses for documentation (RFC 5737), which lead nowhere else.</summary>
    private const string AskingAddress = "192.0.2.1";

    private readonly string _asking = $"coap-a-{Environment.ProcessId}";

    // A measurement of hours is interrupted sooner or later, and would leave its networks behind.
    private readonly PosixSignalRegistration[] _onInterrupt;

    private TestNetwork() => _onInterrupt = [.. new[] { PosixSignal.SIGINT, PosixSignal.SIGTERM }.Select(signal => PosixSignalRegistration.Create(signal, _ => Remove()))];

    public string EchoAddress => "192.0.2.2";

    /// <summary>What a program is started by to run at the other end.</summary>
    public string[] AtTheOtherEnd => ["ip", "netns", "exec", Echoing];

    private string Echoing { get; } = $"coap-b-{Environment.ProcessId}";

    /// <summary>Makes them, or says why that is not possible here.</summary>
    public static TestNetwork? TryMake(out string reason)
    {
        var network = new TestNetwork();
        if (network.TryMake() is { } failure)
        {
            network.Dispose();
            reason = failure;
            return null;
        }
        reason = "";
        return network;
    }

    /// <summary>Runs something at our end. What sockets it makes belong there and can be used from anywhere.</summary>
    public T AtOurEnd<T>(Func<T> work)
    {
        var result = default(T);
        Exception? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                Native.EnterNetwork(_asking);
                result = work();
            }
            catch (Exception exception) // Thrown again by the caller's thread, below.
            {
                failure = exception;
            }
        });
        thread.Start();
        thread.Join();
        return failure is null ? result! : throw new InvalidOperationException(failure.Message, failure);
    }

    public void Dispose()
    {
        foreach (var registration in _onInterrupt) { registration.Dispose(); }
        Remove();
    }

    // With the networks goes what is in them.
    private void Remove()
    {
        Ip($"netns del {_asking}");
        Ip($"netns del {Echoing}");
    }

    private string? TryMake()
    {
        string[] steps =
        [
            $"netns add {_asking}",
            $"netns add {Echoing}",
            $"-n {_asking} link add cable type veth peer name cable netns {Echoing}",
            $"-n {_asking} addr add {AskingAddress}/24 dev cable",
            $"-n {Echoing} addr add {EchoAddress}/24 dev cable",
            $"-n {_asking} link set cable up",
            $"-n {Echoing} link set cable up",
        ];
        return steps.Select(Ip).FirstOrDefault(static failure => failure is not null);
    }

    private static string? Ip(string arguments)
    {
        try
        {
            using var ip = Process.Start(new ProcessStartInfo("ip", arguments) { RedirectStandardError = true, UseShellExecute = false })!;
            var said = ip.StandardError.ReadToEnd();
            ip.WaitForExit();
            return ip.ExitCode == 0 ? null : $"ip {arguments}: {said.Trim()}";
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return exception.Message;
        }
    }
}
