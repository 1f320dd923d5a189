namespace CoAP.Benchmarks.Load;

/// <summary>A second process of this program that serves, so that client and server share nothing but the wire.</summary>
internal sealed class ServerProcess : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(15);

    private readonly Process _process;
    private readonly Dictionary<string, string> _addresses = [];

    private ServerProcess(Process process) => _process = process;

    public int Id => _process.Id;

    /// <summary>A value that the server printed, such as its address for "unix".</summary>
    public string this[string name] => _addresses[name];

    /// <summary>Returns the command that pins another one to a processor; empty without a processor.</summary>
    public static string[] On(int? processor) => processor is { } one ? ["taskset", "-c", $"{one}"] : [];

    /// <summary>Starts a service and waits until it listens.</summary>
    /// <param name="service">The name of the service.</param>
    /// <param name="programs">The command that starts it, such as "taskset", "env" or "ip netns exec", with its arguments.</param>
    /// <param name="values">"name=value" for the service.</param>
    public static async Task<ServerProcess> StartAsync(string service, string[] programs, params string[] values)
    {
        string[] command = [.. programs, .. OwnProgram(), "serve", service, .. values];
        var start = new ProcessStartInfo(command[0], command[1..]) { RedirectStandardInput = true, RedirectStandardOutput = true };
        var server = new ServerProcess(Process.Start(start) ?? throw new InvalidOperationException($"{command[0]} does not start."));
        while (await server._process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (line == ServeCommand.Ready) { return server; }
            if (line.Split(' ', 2) is [var name, var value]) { server._addresses[name] = value; }
        }
        throw new InvalidOperationException($"The service {service} ended before it was ready.");
    }

    /// <summary>Returns the program that this process runs, and its arguments if it is a host.</summary>
    public static string[] OwnProgram() => Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet"
        ? ["dotnet", typeof(ServerProcess).Assembly.Location]
        : [Environment.ProcessPath!];

    public int PortOf(string transport) => int.Parse(_addresses[transport], CultureInfo.InvariantCulture);

    public IPEndPoint EndPointOf(string transport) => new(IPAddress.Loopback, PortOf(transport));

    /// <summary>Asks a question: "heap" (live bytes after a full collection), or one that the service knows.</summary>
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

    public async Task<long> AskNumberAsync(string question) => long.Parse(await AskAsync(question), CultureInfo.InvariantCulture);

    public async ValueTask DisposeAsync()
    {
        _process.StandardInput.Close();
        using var patience = new CancellationTokenSource(Patience);
        try { await _process.WaitForExitAsync(patience.Token); }
        catch (OperationCanceledException) { _process.Kill(); }
        _process.Dispose();
    }
}
