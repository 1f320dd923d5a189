using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>What the builder has collected. Creates the server from it.</summary>
internal sealed class CoapServerPlan
{
    private const string DefaultSection = "Coap";

    /// <summary>The section that the program has chosen; <see langword="null"/> for the default section, which may be missing.</summary>
    public string? ConfigurationPath { get; set; }

    /// <summary>The changes of the settings, and the methods that added them.</summary>
    public List<(string Method, Func<CoapServerSettings, IServiceProvider, CoapServerSettings> Apply)> Changes { get; } = [];

    public List<Action<CoapServer, IServiceProvider>> Mappings { get; } = [];

    /// <summary>Creates the server of a host.</summary>
    public CoapServer Create(IServiceProvider services)
    {
        var server = new CoapServer(SettingsOf(services));
        foreach (var map in Mappings) { map(server, services); }
        return server;
    }

    private CoapServerSettings SettingsOf(IServiceProvider services)
    {
        var settings = UseConfiguration(UseHost(new CoapServerSettings(), services), services);
        foreach (var (method, change) in Changes) { settings = NotNull(change(settings, services), method); }
        foreach (var change in services.GetServices<SettingsChange>()) { settings = NotNull(change.Apply(settings), "ConfigureCoapServer"); }
        return UseHost(settings, services);
    }

    private CoapServerSettings UseConfiguration(CoapServerSettings settings, IServiceProvider services)
    {
        var section = ConfiguredSection.Find(services, ConfigurationPath, DefaultSection);
        return section is null ? settings : new CoapSettingsBinder(services.GetServices<ICoapSettingsSection>()).Apply(settings, section);
    }

    // Settings that replace the given ones, instead of changing them, have nothing of the host.
    private static CoapServerSettings UseHost(CoapServerSettings settings, IServiceProvider services)
    {
        var scopes = services.GetRequiredService<IServiceScopeFactory>();
        return settings with
        {
            LoggerFactory = HostLoggers.Or(settings.LoggerFactory, services),
            TimeProvider = settings.TimeProvider == TimeProvider.System ? services.GetService<TimeProvider>() ?? TimeProvider.System : settings.TimeProvider,
            RequestServices = settings.RequestServices ?? (_ => new RequestScope(scopes)),
        };
    }

    private static CoapServerSettings NotNull(CoapServerSettings? settings, string method) => settings
        ?? throw new InvalidOperationException($"The function that was passed to {method} returned null. Return the changed settings: settings => settings with {{ … }}.");
}
