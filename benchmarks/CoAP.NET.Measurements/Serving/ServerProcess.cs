using System.Diagnostics;
using System.Globalization;

namespace CoAP.Measurements.Serving;

/// <summary>This program once more as a server, so that client and server share nothing but the wire.</summary>
internal sealed class ServerProcess : IAsyncDisposable
{
    private readonly Process _process;
    private readonly Dictionary<string, string> _addresses = [];

    private ServerProcess(Process process) => _process = process;

    /// <summary>What the server said about itself, such as the port of "tcp".</summary>
    public string this[string name] => _addresses[name];

    public int Id => _process.Id;

    /// <summary>Starts it and waits until it listens.</summary>
    /// <param name="core">The only core that it may use; any where there is none.</param>
    /// <param name="values">"name=value" for the server.</param>
    public static Task<ServerProcess> StartAsync(int? core, params string[] values) =>
        StartBehindAsync(core is { } one ? ["taskset", "-c", one.ToString(CultureInfo.InvariantCulture)] : [], values);

    /// <summary>Starts it by way of other programs, such as "taskset", "env" or "ip netns exec", and waits until it listens.</summary>
    public static async Task<ServerProcess> StartBehindAsync(string[] programs, params string[] values)
    {
        var program = Environment.ProcessPath!;
        string[] command = [.. programs, program, .. IsHost(program) ? [typeof(ServerProcess).Assembly.Location] : Array.Empty<string>(), "serve", .. values];
        var start = new ProcessStartInfo(command[0], command[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true, UseShellExecute = false };
        var server = new ServerProcess(Process.Start(start) ?? throw new InvalidOperationException($"{command[0]} does not start."));
        while (await server._process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (line == ServeCommand.Ready) { return server; }
            if (line.Split(' ', 2) is [var name, var value]) { server._addresses[name] = value; }
        }
        throw new InvalidOperationException("The server ended before it was ready.");
    }

    /// <summary>Asks "cpu", "memory", "heap" (live bytes after a full collection), "allocated" or what the service knows.</summary>
    public async Task<string> AskAsync(string question)
    {
        await _process.StandardInput.WriteLineAsync(question);
        await _process.StandardInput.FlushAsync();
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (line.StartsWith(question + " ", StringComparison.Ordinal)) { return line[(question.Length + 1)..]; }
        }
        throw new InvalidOperationException("The server ended.");
    }

    /// <summary>The processor time that it has used so far.</summary>
    public async Task<TimeSpan> CpuAsync() => TimeSpan.FromMicroseconds(double.Parse(await AskAsync("cpu"), CultureInfo.InvariantCulture));

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(15));
        try { await _process.WaitForExitAsync(patience.Token); }
        catch (OperationCanceledException) { _process.Kill(); }
        _process.Dispose();
    }

    private static bool IsHost(string program) => Path.GetFileNameWithoutExtension(program) == "dotnet";
}
