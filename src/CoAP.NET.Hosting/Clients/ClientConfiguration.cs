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

    /// <summary>Returns the settings with the values of the section of a client. A host without configuration, or without the section, changes nothing.</summary>
    /// <exception cref="CoapConfigurationException">A key is unknown, or a value is wrong.</exception>
    /// <exception cref="InvalidOperationException">The program has chosen a section that does not exist.</exception>
    public static CoapClientSettings Bind(IServiceProvider provider, ClientRegistration client, CoapClientSettings settings)
    {
        var section = ConfiguredSection.Find(provider, client.ConfigurationPath, client.DefaultSection);
        return section is null ? settings : new CoapSettingsBinder(provider.GetServices<ICoapSettingsSection>()).Apply(settings, section);
    }

    /// <summary>Throws if the configuration has a section that no client reads, so that its settings would be ignored.</summary>
    /// <exception cref="CoapConfigurationException">There is such a section.</exception>
    public static void ThrowIfUnread(IConfiguration? configuration, IReadOnlyCollection<ClientRegistration> clients)
    {
        if (configuration is null) { return; }
        string[] problems =
        [
            .. configuration.GetSection(NamedSections).GetChildren().Append(configuration.GetSection(DefaultSection))
                .Where(section => section.Exists() && !clients.Any(client => IsOrContains(section.Path, client.Section)))
                .Select(section => $"{section.Path}: {ReasonFor(section, clients)}"),
        ];
        if (problems.Length > 0) { throw new CoapConfigurationException(problems); }
    }

    private static bool IsOrContains(string section, string read) =>
        read.StartsWith(section, StringComparison.OrdinalIgnoreCase) && (read.Length == section.Length || read[section.Length] == ':');

    private static string ReasonFor(IConfigurationSection section, IReadOnlyCollection<ClientRegistration> clients)
    {
        if (clients.FirstOrDefault(client => client.DefaultSection.Equals(section.Path, StringComparison.OrdinalIgnoreCase)) is { } moved)
        {
            return $"no CoAP client reads this section, because '{moved.Section}' was passed to BindConfiguration. Remove the section, or the call.";
        }
        string[] known = [.. clients.Where(static client => client.Name.Length > 0).Select(static client => $"'{client.Name}'")];
        if (section.Path.Equals(DefaultSection, StringComparison.OrdinalIgnoreCase))
        {
            return $"there is no CoAP client without a name. Add it with services.AddCoapClient(), or move the keys to {NamedSections}:<name>. The clients are {string.Join(", ", known)}.";
        }
        return $"there is no CoAP client with the name '{section.Key}'. "
            + (known.Length == 0 ? "Add it with services.AddCoapClient, or remove the section." : $"The clients are {string.Join(", ", known)}.");
    }
}
