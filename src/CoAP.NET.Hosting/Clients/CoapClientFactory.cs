using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Creates each client with its first use, and ends all of them with the host.</summary>
/// <param name="registrations">What the program has said about its clients.</param>
/// <param name="provider">The services of the host.</param>
internal sealed class CoapClientFactory(ClientRegistrations registrations, IServiceProvider provider) : ICoapClientFactory, IAsyncDisposable, IDisposable
{
    private readonly ConcurrentDictionary<string, Lazy<CoapClient>> _clients = new(StringComparer.Ordinal);

    public CoapClient Get(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var registration = registrations.Find(name);
        return _clients.GetOrAdd(
            name, static (_, state) => new Lazy<CoapClient>(() => state.Factory.Create(state.Registration)), (Factory: this, Registration: registration)).Value;
    }

    public IRequestSender GetSender(string name) => Get(name);

    public async ValueTask DisposeAsync() => await Task.WhenAll(Created.Select(static client => client.DisposeAsync().AsTask())).ConfigureAwait(false);

    public void Dispose()
    {
        foreach (var client in Created) { client.Dispose(); }
    }

    private IEnumerable<CoapClient> Created => _clients.Values.Where(static client => client.IsValueCreated).Select(static client => client.Value);

    private CoapClient Create(ClientRegistration registration)
    {
        var settings = ClientConfiguration.Bind(provider, registration, Completed(new CoapClientSettings()));
        foreach (var (method, change) in registration.Changes) { settings = NotNull(change(settings, provider), method); }
        foreach (var change in registrations.ForAll) { settings = NotNull(change(settings), "ConfigureCoapClient"); }
        settings = Completed(settings);
        var client = new CoapClient(settings);
        foreach (var create in registration.Steps)
        {
            client.Use(create(provider, settings.TimeProvider) ?? throw new InvalidOperationException("The function that was passed to Use returned null. Return the step."));
        }
        return client;
    }

    private static CoapClientSettings NotNull(CoapClientSettings? settings, string method) => settings ?? throw new InvalidOperationException(
        $"The function that was passed to {method} returned null. Return the changed settings: settings => settings with {{ … }}.");

    // A function that returns new settings instead of changed ones has not decided against the services of the host.
    private CoapClientSettings Completed(CoapClientSettings settings) => settings with
    {
        LoggerFactory = HostLoggers.Or(settings.LoggerFactory, provider),
        TimeProvider = settings.TimeProvider == TimeProvider.System ? provider.GetService<TimeProvider>() ?? settings.TimeProvider : settings.TimeProvider,
    };
}
