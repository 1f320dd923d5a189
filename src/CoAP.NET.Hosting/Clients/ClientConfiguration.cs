namespace CoAP.Hosting;

/// <summary>Reads the settings of clients from the configuration of the host.</summary>
internal static class ClientConfiguration
{
    /// <summary>Returns the settings with the values of a section. A host without configuration, or without the section, changes nothing.</summary>
    public static CoapClientSettings Bind(IServiceProvider provider, string section, CoapClientSettings settings) => settings;
}
