using System.Runtime.InteropServices;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Two machines on one cable: network namespaces with a veth pair, so that multicast leaves no trace elsewhere.</summary>
internal sealed partial class Namespaces : IAsyncDisposable
{
    public const string Interface = "coap0";
    public const string AddressOfA = "10.77.0.1";
    public const string AddressOfB = "10.77.0.2";

    private const int NewNetwork = 0x4000_0000;

    private readonly string _suffix = $"{Environment.ProcessId}-{Interlocked.Increment(ref _count)}";
    private static int _count;

    private Namespaces()
    {
    }

    public string A => $"coap-a-{_suffix}";

    public string B => $"coap-b-{_suffix}";

    public static async Task<Namespaces> CreateAsync()
    {
        Needed.Programs("ip");
        Needed.Need(Environment.IsPrivilegedProcess, "network namespaces are made by root only");
        var made = new Namespaces();
        Needed.Need(await TryAsync("netns", "add", made.A), "this machine makes no network namespaces");
        try
        {
            await IPAsync("netns", "add", made.B);
            await IPAsync("-n", made.A, "link", "add", Interface, "type", "veth", "peer", "name", Interface, "netns", made.B);
            await SetUpAsync(made.A, AddressOfA, "fd77::1");
            await SetUpAsync(made.B, AddressOfB, "fd77::2");
            return made;
        }
        catch
        {
            await made.DisposeAsync();
            throw;
        }
    }

    /// <summary>Starts a program in a namespace.</summary>
    public static RunningProgram Start(string name, params string[] command) => RunningProgram.Start(RunningProgram.LongLife, "ip", ["netns", "exec", name, .. command]);

    /// <summary>Runs something on a thread of this process whose sockets are those of a namespace.</summary>
    public static async Task<T> RunInAsync<T>(string name, Func<T> work)
    {
        var result = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        var thread = new Thread(() =>
        {
            try
            {
                using var file = File.OpenHandle($"/run/netns/{name}");
                if (Enter(file, NewNetwork) != 0) { throw new InvalidOperationException($"setns failed with {Marshal.GetLastPInvokeError()}."); }
                result.SetResult(work());
            }
            catch (Exception exception)
            {
                result.SetException(exception);
            }
        });
        thread.Start();
        return await result.Task;
    }

    public async ValueTask DisposeAsync()
    {
        await TryAsync("netns", "del", A);
        await TryAsync("netns", "del", B);
    }

    private static async Task SetUpAsync(string name, string address, string addressIPv6)
    {
        // Without the search for duplicates the addresses can be used at once.
        var outcome = await RunningProgram.RunAsync(
            "ip", "netns", "exec", name, "sh", "-c", $"echo 0 > /proc/sys/net/ipv6/conf/{Interface}/accept_dad");
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        await IPAsync("-n", name, "addr", "add", $"{address}/24", "dev", Interface);
        await IPAsync("-n", name, "addr", "add", $"{addressIPv6}/64", "dev", Interface, "nodad");
        await IPAsync("-n", name, "link", "set", "lo", "up");
        await IPAsync("-n", name, "link", "set", Interface, "up");
        await IPAsync("-n", name, "route", "add", "224.0.0.0/4", "dev", Interface);
    }

    private static async Task IPAsync(params string[] arguments)
    {
        var outcome = await RunningProgram.RunAsync("ip", arguments);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
    }

    private static async Task<bool> TryAsync(params string[] arguments) => (await RunningProgram.RunAsync("ip", arguments)).ExitCode == 0;

    [LibraryImport("libc", EntryPoint = "setns", SetLastError = true)]
    private static partial int Enter(SafeHandle file, int kind);
}
