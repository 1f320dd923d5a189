using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>The services of the host, in which the client without a name is replaced by one with a name.</summary>
internal sealed class ClientServices(IServiceProvider provider, string name) : IKeyedServiceProvider, IServiceProviderIsKeyedService
{
    private readonly ICoapClientFactory _clients = provider.GetRequiredService<ICoapClientFactory>();

    public static bool IsClient(Type type) => type == typeof(IRequestSender) || type == typeof(CoapClient);

    public object? GetService(Type serviceType)
    {
        if (serviceType == typeof(IRequestSender)) { return _clients.GetSender(name); }
        if (serviceType == typeof(CoapClient)) { return _clients.Get(name); }
        return serviceType == typeof(IServiceProviderIsService) || serviceType == typeof(IServiceProviderIsKeyedService) ? this : provider.GetService(serviceType);
    }

    public object? GetKeyedService(Type serviceType, object? serviceKey) =>
        provider is IKeyedServiceProvider keyed ? keyed.GetKeyedService(serviceType, serviceKey) : null;

    public object GetRequiredKeyedService(Type serviceType, object? serviceKey) => provider.GetRequiredKeyedService(serviceType, serviceKey);

    public bool IsService(Type serviceType) =>
        IsClient(serviceType) || (provider.GetService<IServiceProviderIsService>()?.IsService(serviceType) ?? false);

    public bool IsKeyedService(Type serviceType, object? serviceKey) =>
        provider.GetService<IServiceProviderIsKeyedService>()?.IsKeyedService(serviceType, serviceKey) ?? false;
}
