using CoAP.Interop.Tests.Programs;
using Npgsql;

namespace Backend.Tests;

/// <summary>A cluster of PostgreSQL in a folder of its own, which it listens in and nowhere else. It can be killed and started again.</summary>
internal sealed class PostgreSqlCluster : IAsyncDisposable
{
    private const string Packages = "/usr/lib/postgresql";
    private const string Account = "postgres";

    private readonly string _programs;
    private readonly string _folder;
    private RunningProgram? _server;

    private PostgreSqlCluster(string programs, string folder) => (_programs, _folder) = (programs, folder);

    public string ConnectionString => $"Host={_folder};Username={Account};Database=postgres";

    private string Data => Path.Combine(_folder, "data");

    public static async Task<PostgreSqlCluster> StartAsync()
    {
        var programs = Directory.Exists(Packages) ? Directory.EnumerateDirectories(Packages).Select(static version => Path.Combine(version, "bin")).Max() : null;
        Needed.Need(programs is not null && File.Exists(Path.Combine(programs, "initdb")), "PostgreSQL not found (Debian package postgresql)");
        var cluster = new PostgreSqlCluster(programs!, Directory.CreateTempSubdirectory("coap-postgresql-").FullName);
        try
        {
            if (Environment.IsPrivilegedProcess) { await RunAsync("chown", Account, cluster._folder); }
            await RunAsync([.. cluster.Command("initdb"), "-D", cluster.Data, "-U", Account, "-A", "trust", "--no-sync"]);
            await cluster.StartServerAsync();
            return cluster;
        }
        catch
        {
            await cluster.DisposeAsync();
            throw;
        }
    }

    /// <summary>Kills the server as a loss of power does.</summary>
    public async Task KillAsync()
    {
        await _server!.KillAsync();
        await _server.DisposeAsync();
    }

    /// <summary>Starts the server. It has to be down.</summary>
    public async Task StartServerAsync()
    {
        string[] command = [.. Command("postgres"), "-D", Data, "-k", _folder, "-c", "listen_addresses=", "-c", "max_connections=20"];
        _server = RunningProgram.Start(command[0], command[1..]);
        await _server.LineAsync(static line => line.Contains("ready to accept connections", StringComparison.Ordinal));
    }

    /// <summary>Returns the sequences of all stored readings, by controller.</summary>
    public async Task<ILookup<string, long>> ReadAsync()
    {
        await using var source = NpgsqlDataSource.Create(ConnectionString);
        await using var command = source.CreateCommand("SELECT device, sequence FROM readings");
        await using var rows = await command.ExecuteReaderAsync();
        var all = new List<(string Device, long Sequence)>();
        while (await rows.ReadAsync()) { all.Add((rows.GetString(0), rows.GetInt64(1))); }
        return all.ToLookup(static row => row.Device, static row => row.Sequence);
    }

    public async ValueTask DisposeAsync()
    {
        if (_server is not null) { await _server.DisposeAsync(); }
        // Its processes may still write for a moment.
        try { Directory.Delete(_folder, recursive: true); }
        catch (IOException) { }
    }

    // PostgreSQL does not run as root.
    private string[] Command(string program) => Environment.IsPrivilegedProcess
        ? ["setpriv", $"--reuid={Account}", $"--regid={Account}", "--clear-groups", Path.Combine(_programs, program)]
        : [Path.Combine(_programs, program)];

    private static async Task RunAsync(params string[] command)
    {
        var end = await RunningProgram.RunAsync(command[0], command[1..]);
        if (end.ExitCode != 0) { throw new InvalidOperationException($"{end}"); }
    }
}
