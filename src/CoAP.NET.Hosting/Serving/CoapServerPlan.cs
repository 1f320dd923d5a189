using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace CoAP.Hosting;

/// <summary>What the builder has collected. Creates the server from it.</summary>
/// <param name="defaults">Changes the settings before the configuration is read; <see langword="null"/> if the defaults of the library apply.</param>
internal sealed class CoapServerPlan(Func<CoapServerSettings, CoapServerSettings>? defaults)
{
    /// <summary>The section that the program has chosen; <see langword="null"/> for the default section, which may be missing.</summary>
    public string? ConfigurationPath { get; set; }

    public List<Func<CoapServerSettings, IServiceProvider, CoapServerSettings>> Changes { get; } = [];

    public List<Action<CoapServer, IServiceProvider>> Mappings { get; } = [];

    /// <summary>Creates the server of a host.</summary>
    public CoapServer Create(IServiceProvider services)
    {
        var scopes = services.GetRequiredService<IServiceScopeFactory>();
        var settings = SettingsOf(services);
        var server = new CoapServer(settings with { RequestServices = settings.RequestServices ?? (_ => new RequestScope(scopes)) });
        foreach (var map in Mappings) { map(server, services); }
        return server;
    }

    private CoapServerSettings SettingsOf(IServiceProvider services)
    {
        var settings = UseHost(new CoapServerSettings(), services);
        if (defaults is not null) { settings = NotNull(defaults(settings), "AddCoapServer"); }
        foreach (var change in Changes) { settings = NotNull(change(settings, services), "Configure"); }
        foreach (var change in services.GetServices<SettingsChange>()) { settings = NotNull(change.Apply(settings), "ConfigureCoapServer"); }
        return UseHost(settings, services);
    }

    // Settings that replace the given ones, instead of changing them, have neither the loggers nor the clock of the host.
    private static CoapServerSettings UseHost(CoapServerSettings settings, IServiceProvider services) => settings with
    {
        LoggerFactory = settings.LoggerFactory is NullLoggerFactory ? services.GetRequiredService<ILoggerFactory>() : settings.LoggerFactory,
        TimeProvider = settings.TimeProvider == TimeProvider.System ? services.GetService<TimeProvider>() ?? TimeProvider.System : settings.TimeProvider,
    };

    private static CoapServerSettings NotNull(CoapServerSettings? settings, string method) => settings
        ?? throw new InvalidOperationException($"The function that was passed to {method} returned null. Return the changed settings: settings => settings with {{ … }}.");
}
