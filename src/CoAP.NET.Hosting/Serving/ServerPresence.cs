using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting;

/// <summary>Finds out, before anything starts, that settings were changed of a server that the host does not have.</summary>
internal sealed class ServerPresence(IServiceProviderIsService registered) : IHostedLifecycleService
{
    /// <exception cref="InvalidOperationException">The host has no server.</exception>
    public Task StartingAsync(CancellationToken cancellationToken) => registered.IsService(typeof(CoapServer))
        ? Task.CompletedTask
        : throw new InvalidOperationException(
            "ConfigureCoapServer was called, but the services of the host contain no CoapServer. Call builder.Services.AddCoapServer(), or remove the call of ConfigureCoapServer.");

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
