namespace CoAP.Interop.Tests.Programs;

/// <summary>Sample servers for the tests of one class: one per mode, started by the first test that needs it.</summary>
public sealed class SampleServers : IAsyncLifetime
{
    private readonly ServerPool _pool = new(static mode => SampleServer.StartForAsync(RunningProgram.LongLife, mode));

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _pool.EndAsync();

    internal Task<SampleServer> GetAsync(string mode) => _pool.GetAsync(mode);
}
