namespace CoAP.Interop.Tests.Programs;

/// <summary>At most one sample server per mode. Safe for concurrent use.</summary>
internal sealed class ServerPool(Func<string, Task<SampleServer>> start)
{
    private readonly Dictionary<string, Task<SampleServer>> _servers = [];
    private readonly Lock _gate = new();

    /// <summary>Returns the server of a mode, which is started if there is none.</summary>
    public Task<SampleServer> GetAsync(string mode)
    {
        lock (_gate)
        {
            // A start that has failed fails its test only.
            if (!_servers.TryGetValue(mode, out var server) || server.IsFaulted) { _servers[mode] = server = start(mode); }
            return server;
        }
    }

    /// <summary>Ends all servers. None is started later.</summary>
    public async Task EndAsync()
    {
        foreach (var server in _servers.Values.Where(static one => one.IsCompletedSuccessfully)) { await (await server).DisposeAsync(); }
    }
}
