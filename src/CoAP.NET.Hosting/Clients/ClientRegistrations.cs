using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>What the program has said about its clients before the host was built.</summary>
internal sealed class ClientRegistrations
{
    private readonly Dictionary<string, ClientRegistration> _clients = new(StringComparer.Ordinal);

    /// <summary>The functions that are applied to the settings of all clients, after those of each client.</summary>
    public List<Func<CoapClientSettings, CoapClientSettings>> ForAll { get; } = [];

    public IReadOnlyCollection<ClientRegistration> All => _clients.Values;

    /// <summary>Returns the registrations of these services, which are added with the first call.</summary>
    public static ClientRegistrations Of(IServiceCollection services)
    {
        var found = services.Select(static service => service.IsKeyedService ? null : service.ImplementationInstance).OfType<ClientRegistrations>().FirstOrDefault();
        if (found is null) { services.AddSingleton(found = new ClientRegistrations()); }
        return found;
    }

    /// <summary>Returns the registration with this name, which is added with the first call.</summary>
    public ClientRegistration Add(string name)
    {
        if (!_clients.TryGetValue(name, out var client)) { _clients[name] = client = new ClientRegistration(name); }
        return client;
    }

    public ClientRegistration Find(string name) => _clients.TryGetValue(name, out var client) ? client : throw Unknown(name);

    private ArgumentException Unknown(string name)
    {
        var known = _clients.Count == 0 ? "no client was added" : $"the clients are {string.Join(", ", _clients.Keys.Select(static one => $"'{one}'"))}";
        return new ArgumentException($"There is no CoAP client with the name '{name}': {known}. Add it with services.AddCoapClient(\"{name}\").", nameof(name));
    }
}
