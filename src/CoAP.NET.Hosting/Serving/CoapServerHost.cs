using System.Net.Sockets;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting;

/// <summary>Starts the server with the host, and stops it before the other services of the host stop.</summary>
internal sealed class CoapServerHost(CoapServer server) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        try { server.Start(); }
        catch (SocketException error) { throw StartFailure.Of(error); }
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // Handlers use other services of the host, so the server stops first. A web server would also close its WebSockets before peers receive a Release.
    public Task StoppingAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);

    public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
