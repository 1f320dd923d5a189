using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting;

/// <summary>Creates all clients when the host starts, so that wrong settings end the start and not the first request. It opens no socket.</summary>
internal sealed class ClientStart(ClientRegistrations registrations, ICoapClientFactory factory, IServiceProvider provider) : IHostedService
{
    public Task StartAsync(CancellationToken cancellationToken)
    {
        ClientConfiguration.ThrowIfUnread(provider.GetService<IConfiguration>(), registrations.All);
        foreach (var client in registrations.All) { factory.GetSender(client.Name); }
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;
}
