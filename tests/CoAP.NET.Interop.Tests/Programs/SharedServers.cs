namespace CoAP.Interop.Tests.Programs;

/// <summary>
/// Sample servers with all endpoints, one per mode, which all classes share whose tests do not disturb each other: each test names resources of its
/// own. A server starts when it is first needed and ends with the last class that uses this.
/// </summary>
public sealed class SharedServers : IAsyncLifetime
{
    internal const string Identity = "me", Key = "secretPSK";

    private static readonly Lock Gate = new();
    private static int _users, _names;
    private static ServerPool? _pool;
    private static CertificateFiles? _files;

    /// <summary>The authority that all servers trust, and a certificate of it, which is theirs and serves clients, too.</summary>
    internal CertificateFiles Files => _files!;

    /// <summary>A name for a resource that no other test uses.</summary>
    internal static string NewName() => $"item-{Interlocked.Increment(ref _names)}";

    public Task InitializeAsync()
    {
        lock (Gate)
        {
            if (_users++ == 0)
            {
                var files = _files = new CertificateFiles();
                _pool = new(mode => SampleServer.StartWithAllEndpointsAsync(mode, files, RunningProgram.LongLife));
            }
        }
        return Task.CompletedTask;
    }

    public async Task DisposeAsync()
    {
        ServerPool? pool = null;
        CertificateFiles? files = null;
        lock (Gate)
        {
            if (--_users == 0) { (pool, files, _pool, _files) = (_pool, _files, null, null); }
        }
        if (pool is not null) { await pool.EndAsync(); }
        files?.Dispose();
    }

    internal Task<SampleServer> GetAsync(string mode) => _pool!.GetAsync(mode);
}
