using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Creates each client with its first use, and ends all of them with the host.</summary>
/// <param name="registrations">What the program has said about its clients.</param>
/// <param name="provider">The services of the host.</param>
internal sealed class CoapClientFactory(ClientRegistrations registrations, IServiceProvider provider) : ICoapClientFactory, IAsyncDisposable, IDisposable
{
    private readonly ConcurrentDictionary<string, Lazy<Entry>> _entries = new(StringComparer.Ordinal);

    public CoapClient Get(string name) => EntryOf(name).Client;

    public IRequestSender GetSender(string name) => EntryOf(name).Sender;

    public async ValueTask DisposeAsync() => await Task.WhenAll(Created.Select(static client => client.DisposeAsync().AsTask())).ConfigureAwait(false);

    public void Dispose()
    {
        foreach (var client in Created) { client.Dispose(); }
    }

    private IEnumerable<CoapClient> Created => _entries.Values.Where(static entry => entry.IsValueCreated).Select(static entry => entry.Value.Client);

    private Entry EntryOf(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        var registration = registrations.Find(name);
        return _entries.GetOrAdd(name, static (_, state) => new Lazy<Entry>(() => state.Factory.Create(state.Registration)), (Factory: this, Registration: registration)).Value;
    }

    private Entry Create(ClientRegistration registration)
    {
        var settings = ClientConfiguration.Bind(provider, registration, Completed(new CoapClientSettings()));
        foreach (var (method, change) in registration.Changes) { settings = NotNull(change(settings, provider), method); }
        foreach (var change in registrations.ForAll) { settings = NotNull(change(settings), "ConfigureCoapClient"); }
        settings = Completed(settings);
        var client = new CoapClient(settings);
        var pipeline = registration.Pipeline?.Invoke(provider, settings.TimeProvider);
        return new Entry(client, pipeline is null ? client : new ResilientSender(client, pipeline));
    }

    private static CoapClientSettings NotNull(CoapClientSettings? settings, string method) => settings ?? throw new InvalidOperationException(
        $"The function that was passed to {method} returned null. Return the changed settings: settings => settings with {{ … }}.");

    // A function that returns new settings instead of changed ones has not decided against the services of the host.
    private CoapClientSettings Completed(CoapClientSettings settings) => settings with
    {
        LoggerFactory = HostLoggers.Or(settings.LoggerFactory, provider),
        TimeProvider = settings.TimeProvider == TimeProvider.System ? provider.GetService<TimeProvider>() ?? settings.TimeProvider : settings.TimeProvider,
    };

    private sealed record Entry(CoapClient Client, IRequestSender Sender);
}
