using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>
/// Reads a section of the settings whose type belongs to another package, such as "Dtls". Register it as a singleton of this type.
/// <see cref="CoapSettingsSection{TEndpoint, T}"/> is enough for settings with properties that are written as text.
/// </summary>
public interface ICoapSettingsSection
{
    /// <summary>The settings that have the property: <see cref="CoapServerSettings"/> or <see cref="CoapClientSettings"/>.</summary>
    Type Endpoint { get; }

    /// <summary>The name of the property, such as "Dtls".</summary>
    string Key { get; }

    /// <summary>Returns the value of the property.</summary>
    /// <param name="current">The value without the configuration.</param>
    /// <param name="section">The section with the key.</param>
    /// <param name="problems">The errors. Add one sentence per error, with the path of the key, its value and what to write instead.</param>
    object? Bind(object? current, IConfigurationSection section, ICollection<string> problems);
}
