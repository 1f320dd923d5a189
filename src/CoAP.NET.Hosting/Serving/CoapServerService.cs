using System.Net.Sockets;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting;

/// <summary>Starts the server with the host, and stops it before the other services of the host stop.</summary>
internal sealed partial class CoapServerService(CoapServer server, IHostApplicationLifetime lifetime, ILoggerFactory loggers) : IHostedLifecycleService
{
    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        try { server.Start(); }
        catch (SocketException error) { throw StartFailure.Of(error); }
        _ = StopHostAfterDefectAsync();
        return Task.CompletedTask;
    }

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // Handlers use other services of the host, so the server stops first. A web server would also close its WebSockets before peers receive a Release.
    public Task StoppingAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);

    public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync(cancellationToken);

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    // A process that lives on without its server would look healthy to whatever restarts it.
    private async Task StopHostAfterDefectAsync()
    {
        try { await server.Completion.ConfigureAwait(false); }
        catch (Exception defect) // The server has ended because of a defect, whatever it is.
        {
            ServerEnded(loggers.CreateLogger("CoAP.Endpoint"), defect);
            if (Environment.ExitCode == 0) { Environment.ExitCode = 1; }
            lifetime.StopApplication();
        }
    }

    [LoggerMessage(90, LogLevel.Critical, "The CoAP server has ended because of an internal error. The host stops.")]
    private static partial void ServerEnded(ILogger logger, Exception defect);
}
