using System.Globalization;
using System.Runtime.InteropServices;
using CoAP.Measurements.Serving;
using CoAP.Measurements.Siege.Attacks;

namespace CoAP.Measurements.Siege;

/// <summary>The attackers, in a process of their own that yields to the well-behaved client: "NAME SECONDS" starts one.</summary>
internal sealed partial class AttackService(Target target) : IService
{
    private const int LeastPriority = 19;

    public IEnumerable<string> Addresses => [];

    public static IReadOnlyList<Attack> All(Target target) =>
    [
        new Garbage("garbage", "malformed frames after a CSM, each on a connection of its own", isDatagrams: false) { Target = target },
        new Garbage("datagrams", "random and malformed datagrams", isDatagrams: true) { Target = target },
        new Standing("silent", "connections that never send a CSM", Standstill.SaysNothing) { Target = target },
        new Standing("half-open", "peers that vanish without a word after their CSM", Standstill.Vanishes) { Target = target },
        new Standing("drip", "a byte each 100 ms of a message of 60 kB", Standstill.Drips) { Target = target },
        new Standing("unread", "large answers asked for and never read", Standstill.NeverReads) { Target = target },
        new Floods("reset", "connections opened and reset", Flood.Reset) { Target = target },
        new Floods("fin", "connections opened and closed", Flood.Fin) { Target = target },
        new Floods("csm", "connections reset after a CSM and a request", Flood.Csm) { Target = target },
        new Floods("unix", "local connections opened and closed", Flood.Unix) { Target = target },
        new Floods("tls", "handshakes of TLS broken off in four ways", Flood.Tls) { Target = target },
        new Floods("websocket", "upgrades to WebSocket dropped or wrong", Flood.WebSocket) { Target = target },
    ];

    public static Task<IService> StartAsync(IReadOnlyDictionary<string, string> values) => Task.FromResult<IService>(new AttackService(new Target(
        values, Number(values["flood"]), Number(values["handshakes"]), (int)Number(values["standing"]))));

    public string Answer(string question)
    {
        var words = question.Split(' ');
        var attack = All(target).Single(one => one.Name == words[0]);
        var (count, failure) = (0, "");
        var thread = new Thread(() =>
        {
            _ = SetPriority(0, 0, LeastPriority);
            try { count = attack.Run(TimeSpan.FromSeconds(Number(words[1]))); }
            catch (Exception exception) // Whatever it is, the measurement says it.
            {
                failure = exception.Message;
            }
        });
        thread.Start();
        thread.Join();
        return failure.Length > 0 ? failure : count.ToString(CultureInfo.InvariantCulture);
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);

    // Of the calling thread alone.
    [LibraryImport("libc", EntryPoint = "setpriority")]
    private static partial int SetPriority(int which, int who, int value);
}
