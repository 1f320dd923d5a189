using CoAP;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Adds a CoAP server to a host's services.</summary>
public static class CoapServices
{
    /// <summary>Adds a server that starts and ends with the host.</summary>
    /// <param name="services">The host's services.</param>
    /// <param name="map">Maps its resources.</param>
    /// <param name="settings">Where it listens besides WebSockets; nowhere by default. The host's loggers are used where it names none.</param>
    public static IServiceCollection AddCoapServer(this IServiceCollection services, Action<CoapServer> map, CoapServerSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(map);
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

        // Before the web server stops: that waits for its WebSockets and cuts them off in the end, so that no peer would hear a Release.
        public Task StoppingAsync(CancellationToken cancellationToken) => server.StopAsync();

        public Task StopAsync(CancellationToken cancellationToken) => server.StopAsync();

        public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;
    }
}
