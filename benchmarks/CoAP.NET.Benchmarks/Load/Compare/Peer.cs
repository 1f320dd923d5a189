using System.ComponentModel;
using System.Text.RegularExpressions;

namespace CoAP.Benchmarks.Load;

/// <summary>A server that takes part.</summary>
/// <param name="Name">Its name in tables.</param>
/// <param name="Short">Its name on the command line.</param>
/// <param name="Command">The program and its arguments; {port} stands for the port.</param>
internal sealed partial record Peer(string Name, string Short, params string[] Command)
{
    private const string Libcoap = "coap-server-notls";

    /// <summary>The path of the requested resource.</summary>
    public string Path { get; init; } = "hello";

    public bool HasUdp { get; init; } = true;

    public bool HasTcp { get; init; }

    /// <summary>Whether the server starts anew for each round. libcoap walks all its sessions and would carry those of earlier rounds along.</summary>
    public bool IsFresh { get; init; }

    public string Version { get; init; } = Environment.Version.ToString();

    /// <summary>Whether it is our server, which is compared with the others.</summary>
    public bool IsOurs => Short.StartsWith("coap.net", StringComparison.Ordinal);

    /// <summary>The servers that take part by default.</summary>
    public static IReadOnlyList<string> Usual { get; } = ["coap.net", "libcoap", "batched", "connections"];

    public static IReadOnlyList<string> ShortNames { get; } = [.. Usual, "coap.net-awaited", "coap.net-apart"];

    /// <summary>Returns the servers that can take part here.</summary>
    public static IReadOnlyList<Peer> All(CompareSettings settings)
    {
        var sample = settings.Sample ?? FindSample();
        Peer[] all =
        [
            Ours("CoAP.NET", "coap.net", sample),
            Ours("CoAP.NET, awaited", "coap.net-awaited", sample, "--wait", "awaited"),
            Ours("CoAP.NET, datagrams apart", "coap.net-apart", sample, "--gather", "no") with { HasTcp = false },
            new("libcoap", "libcoap", Libcoap, "-A", "127.0.0.1", "-p", "{port}") { Path = "time", HasTcp = true, IsFresh = true, Version = LibcoapVersion() },
            Bare("bare sockets, batched", "batched", "udp"),
            Bare("bare sockets, awaited", "connections", "tcp-cores", "buffer=16384") with { HasUdp = false, HasTcp = true },
        ];
        return [.. all.Where(peer => settings.Servers.Contains(peer.Short) && peer.Version.Length > 0)];
    }

    /// <summary>Returns a sample of the same tree and configuration, if it is built.</summary>
    public static string? FindSample(string name = "SampleServer")
    {
        const string Own = "benchmarks/CoAP.NET.Benchmarks";
        var found = System.IO.Path.Combine(AppContext.BaseDirectory.Replace(Own, $"samples/{name}", StringComparison.Ordinal), $"{name}.dll");
        return File.Exists(found) ? found : null;
    }

    private static Peer Bare(string name, string shortName, string form, params string[] values) =>
        new(name, shortName, [.. ServerProcess.OwnProgram(), "serve", "bare", $"form={form}", "port={port}", .. values]);

    private static Peer Ours(string name, string shortName, string? sample, params string[] form) =>
        new(name, shortName, ["dotnet", sample ?? "", "--host", "127.0.0.1", "--port", "{port}", "--metrics", "1", .. form])
        {
            HasTcp = true,
            Version = sample is null ? "" : FileVersionInfo.GetVersionInfo(System.IO.Path.Combine(System.IO.Path.GetDirectoryName(sample)!, "CoAP.NET.dll")).ProductVersion ?? "",
        };

    // libcoap's server names its version in the help that it prints for an unknown option.
    private static string LibcoapVersion()
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(Libcoap, "-?") { RedirectStandardError = true, RedirectStandardOutput = true })!;
            var text = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return VersionText().Match(text) is { Success: true } match ? match.Groups["version"].Value : "unknown";
        }
        catch (Win32Exception)
        {
            return "";
        }
    }

    [GeneratedRegex(@"v(?<version>\d+\.\d+[.\w]*)")]
    private static partial Regex VersionText();
}
