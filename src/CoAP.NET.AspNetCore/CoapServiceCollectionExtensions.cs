using CoAP;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds a CoAP server to the services of a host.</summary>
public static class CoapServiceCollectionExtensions
{
    /// <summary>Adds a server that starts and stops with the host.</summary>
    /// <param name="services">The services of the host.</param>
    /// <param name="map">Maps the resources of the server.</param>
    /// <param name="settings">
    /// The settings of the server. Default: no endpoint except WebSockets. If they have no logger factory, the one of the host is used.
    /// </param>
    /// <exception cref="InvalidOperationException">The services contain a server already.</exception>
    public static IServiceCollection AddCoapServer(this IServiceCollection services, Action<CoapServer> map, CoapServerSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(map);
        if (services.Any(static service => service.ImplementationType == typeof(CoapHost)))
        {
            throw new InvalidOperationException("AddCoapServer was already called.");
        }
        services.AddSingleton(provider =>
        {
            var server = new CoapServer((settings ?? new CoapServerSettings { Endpoints = [] }) with
            {
                LoggerFactory = settings is { LoggerFactory: not NullLoggerFactory } ? settings.LoggerFactory : provider.GetRequiredService<ILoggerFactory>(),
            });
            map(server);
            return server;
        });
        return services.AddHostedService<CoapHost>();
    }

    private sealed class CoapHost(CoapServer server) : IHostedLifecycleService
    {
        public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        public Task StartAsync(CancellationToken cancellationToken)
        {
            server.Start();
            return Task.CompletedTask;
        }

        public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

        // Stop before the web server: it waits for its WebSockets and then closes them, so that no peer would receive a Release.
        public Task StoppingAsync(CancellationToken cancellationToken) => server.StopAsync();

        public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync();

        public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
