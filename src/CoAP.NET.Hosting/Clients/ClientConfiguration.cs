using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>Reads the settings of clients from the configuration of the host.</summary>
internal static class ClientConfiguration
{
    /// <summary>The section of the client without a name.</summary>
    public const string DefaultSection = "CoapClient";

    /// <summary>The section with a section for each client with a name.</summary>
    public const string NamedSections = "CoapClients";

    /// <summary>Returns the settings with the values of a section. A host without configuration, or without the section, changes nothing.</summary>
    /// <exception cref="CoapConfigurationException">A key is unknown, or a value is wrong.</exception>
    public static CoapClientSettings Bind(IServiceProvider provider, string section, CoapClientSettings settings) =>
        provider.GetService<IConfiguration>() is { } configuration
            ? new CoapSettingsBinder(provider.GetServices<ICoapSettingsSection>()).Apply(settings, configuration.GetSection(section))
            : settings;

    /// <summary>Throws if the configuration has a section for a client that does not exist, whose settings would be ignored.</summary>
    /// <exception cref="CoapConfigurationException">There is such a section.</exception>
    public static void ThrowIfUnknown(IConfiguration? configuration, IEnumerable<string> names)
    {
        string[] known = [.. names.Where(static name => name.Length > 0)];
        string[] problems =
        [
            .. configuration?.GetSection(NamedSections).GetChildren()
                .Where(section => !known.Contains(section.Key, StringComparer.OrdinalIgnoreCase))
                .Select(section => $"{section.Path}: there is no CoAP client with the name '{section.Key}'. {Known(known)}") ?? [],
        ];
        if (problems.Length > 0) { throw new CoapConfigurationException(problems); }
    }

    private static string Known(string[] names) => names.Length == 0
        ? "Add it with services.AddCoapClient, or remove the section."
        : $"The clients are {string.Join(", ", names.Select(static name => $"'{name}'"))}.";
}
