using System.Diagnostics;
using System.Text.RegularExpressions;

namespace CoAP.Load.Compare;

/// <summary>A server that takes part.</summary>
/// <param name="Name">Its name in tables.</param>
/// <param name="Short">Its name on the command line.</param>
/// <param name="Program">What is started.</param>
/// <param name="Arguments">With these; {port} stands for the port.</param>
internal sealed partial record Peer(string Name, string Short, string Program, params string[] Arguments)
{
    /// <summary>The path of the resource that is asked for.</summary>
    public string Path { get; init; } = "hello";

    public bool HasUdp { get; init; } = true;

    public bool HasTcp { get; init; }

    /// <summary>
    /// Started anew for each round. What walks all its peers would carry the sockets of earlier rounds along; and it needs no warming up.
    /// </summary>
    public bool IsFresh { get; init; }

    /// <summary>Whether it is what the others are compared with.</summary>
    public bool IsOurs => Short.StartsWith("coap.net", StringComparison.Ordinal);

    /// <summary>This program as a server: with the compiler's usual settings, and not with the generator's.</summary>
    public bool IsOwn => Program == "dotnet" && Arguments.Contains("echo");

    public string Version { get; init; } = Environment.Version.ToString();

    /// <summary>Those that take part unless others are asked for, by their names on the command line.</summary>
    public static IReadOnlyList<string> Usual { get; } = ["coap.net", "libcoap", "batched", "each", "pipelines"];

    /// <summary>All that there are.</summary>
    public static IReadOnlyList<string> ShortNames { get; } = [.. Usual, "coap.net-awaited", "coap.net-apart", "awaited"];

    /// <summary>All that can take part here.</summary>
    public static IReadOnlyList<Peer> All(CompareSettings settings)
    {
        var own = typeof(Peer).Assembly.Location;
        var sample = settings.Sample ?? FindSample();
        List<Peer> all =
        [
            new("libcoap", "libcoap", settings.Libcoap, "-A", "127.0.0.1", "-p", "{port}") { Path = "time", HasTcp = true, IsFresh = true, Version = LibcoapVersion(settings.Libcoap) },
            new("bare echo, batched", "batched", "dotnet", own, "echo", "{port}", Echo.EchoCommand.Batch),
            new("bare echo, one call each", "each", "dotnet", own, "echo", "{port}", Echo.EchoCommand.Each),
            new("bare echo, awaited", "awaited", "dotnet", own, "echo", "{port}", Echo.EchoCommand.Awaited),
            new("bare echo, pipelines", "pipelines", "dotnet", own, "echo", "{port}", Echo.EchoCommand.Pipelines) { HasUdp = false, HasTcp = true },
        ];
        if (sample is not null)
        {
            all.InsertRange(0, [
                Ours("CoAP.NET", "coap.net", sample),
                Ours("CoAP.NET, awaited", "coap.net-awaited", sample, "--wait", "awaited"),
                Ours("CoAP.NET, datagrams apart", "coap.net-apart", sample, "--gather", "no") with { HasTcp = false },
            ]);
        }

        return [.. all.Where(peer => peer.Version.Length > 0 && (LinuxCalls.IsSupported || peer.Short is not ("batched" or "awaited")))
            .Where(peer => settings.Wants(peer.Short))];
    }

    private static Peer Ours(string name, string shortName, string sample, params string[] form) =>
        new(name, shortName, "dotnet", [sample, "--host", "127.0.0.1", "--port", "{port}", "--metrics", "1", .. form])
        {
            HasTcp = true,
            Version = FileVersionInfo.GetVersionInfo(LibraryBeside(sample)).ProductVersion ?? "",
        };

    private static string LibraryBeside(string sample) => System.IO.Path.Combine(System.IO.Path.GetDirectoryName(sample)!, "CoAP.NET.dll");

    // In the same tree, built in the same configuration.
    private static string? FindSample()
    {
        var here = AppContext.BaseDirectory.TrimEnd(System.IO.Path.DirectorySeparatorChar);
        var configuration = System.IO.Path.GetFileName(System.IO.Path.GetDirectoryName(here));
        for (var folder = System.IO.Path.GetDirectoryName(here); folder is not null; folder = System.IO.Path.GetDirectoryName(folder))
        {
            var found = System.IO.Path.Combine(folder, "samples", "SampleServer", "bin", configuration ?? "", System.IO.Path.GetFileName(here), "SampleServer.dll");
            if (File.Exists(found)) { return found; }
        }

        return null;
    }

    // It names its version in the first line of its help, which it gives for an option that it does not know.
    private static string LibcoapVersion(string program)
    {
        try
        {
            using var process = Process.Start(new ProcessStartInfo(program, "-?") { RedirectStandardError = true, RedirectStandardOutput = true })!;
            var text = process.StandardError.ReadToEnd();
            process.WaitForExit();
            return VersionText().Match(text) is { Success: true } match ? match.Groups["version"].Value : "unknown";
        }
        catch (System.ComponentModel.Win32Exception)
        {
            return "";
        }
    }

    [GeneratedRegex(@"v(?<version>\d+\.\d+[.\w]*)")]
    private static partial Regex VersionText();
}
