using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

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
        var server = new CoapServer(SettingsOf(services));
        foreach (var map in Mappings) { map(server, services); }
        return server;
    }

    private CoapServerSettings SettingsOf(IServiceProvider services)
    {
        var settings = new CoapServerSettings
        {
            LoggerFactory = services.GetRequiredService<ILoggerFactory>(),
            TimeProvider = services.GetService<TimeProvider>() ?? TimeProvider.System,
        };
        if (defaults is not null) { settings = NotNull(defaults(settings), "AddCoapServer"); }
        foreach (var change in Changes) { settings = NotNull(change(settings, services), "Configure"); }
        foreach (var change in services.GetServices<SettingsChange>()) { settings = NotNull(change.Apply(settings), "ConfigureCoapServer"); }
        return settings;
    }

    private static CoapServerSettings NotNull(CoapServerSettings? settings, string method) => settings
        ?? throw new InvalidOperationException($"The function that was passed to {method} returned null. Return the changed settings: settings => settings with {{ … }}.");
}
