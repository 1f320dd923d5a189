using System.Globalization;
using CoAP.Measurements.Meshes;

namespace CoAP.Measurements.Profiles;

/// <summary>Asks a server over UDP for /hello, for some seconds: the load of a profile.</summary>
internal static class AskCommand
{
    private const int Outstanding = 64;

    public static int Run(RunSettings settings)
    {
        var (port, seconds) = (Number(settings, "port"), Number(settings, "seconds"));
        using var load = new UdpLoad(port);
        var hello = UdpAsker.Hello;
        var time = load.Run([(hello, Outstanding)], TimeSpan.FromSeconds(seconds));
        Console.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{hello.Latencies.Count / time.TotalSeconds:N0} requests/s, p50 {hello.Latencies.Percentile(0.5) * 1000:N0} us, {hello.Wrong} errors, {hello.Missing} unanswered"));
        return hello.Wrong + hello.Missing == 0 ? 0 : 1;
    }

    private static int Number(RunSettings settings, string name) => int.Parse(settings.Values[name], CultureInfo.InvariantCulture);
}
