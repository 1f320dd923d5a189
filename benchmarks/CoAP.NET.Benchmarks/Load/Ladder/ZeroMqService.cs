namespace CoAP.Benchmarks.Load;

/// <summary>The other end of a ZeroMQ socket, in another process: sends back what it receives.</summary>
internal sealed class ZeroMqService(string address) : IService
{
    public IEnumerable<string> Addresses => [$"address {address}"];

    public static Task<IService> StartAsync(ServiceValues values) => Task.FromResult<IService>(new ZeroMqService(ZeroMq.Serve(values["host"])));

    public string Answer(string question) => "";

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
