using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Reads the settings of servers and clients from a configuration. Only the keys that are present change a setting.</summary>
/// <remarks>
/// <para>Safe for concurrent use. A key is the name of a property, such as "Lanes" or "Udp:ReceiveBufferSize". Upper and lower case make no difference.</para>
/// <para>Times are written as "00:00:05", "5s", "250ms", "10min", "1h" or "2d". Sizes are numbers of bytes. Lists are arrays, or one text with semicolons
/// between the elements. Endpoints are written as <see cref="ServerEndpoint.ParseAll"/> reads them.</para>
/// <para>The sections "Tls" have three keys for certificates: "CertificateFile", "KeyFile" and "TrustedRootsFile", which are PEM files. A server reloads
/// its certificate when a file changes. All other files are read once.</para>
/// </remarks>
/// <param name="sections">The sections that other packages read, such as "Dtls". Default: none.</param>
public sealed class CoapSettingsBinder(IEnumerable<ICoapSettingsSection>? sections = null)
{
    private readonly ICoapSettingsSection[] _sections = [.. sections ?? []];

    /// <summary>Returns the settings of a server with the values of a section.</summary>
    /// <param name="settings">The settings of the keys that are not present.</param>
    /// <param name="section">The section, such as "Coap".</param>
    /// <exception cref="CoapConfigurationException">A key is unknown, or a value is wrong.</exception>
    public CoapServerSettings Apply(CoapServerSettings settings, IConfigurationSection section) => Bind(settings, section);

    /// <summary>Returns the settings of a client with the values of a section.</summary>
    /// <inheritdoc cref="Apply(CoapServerSettings, IConfigurationSection)" path="/param|/exception"/>
    public CoapClientSettings Apply(CoapClientSettings settings, IConfigurationSection section) => Bind(settings, section);

    private T Bind<T>(T settings, IConfigurationSection section)
        where T : CoapEndpointSettings
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(section);
        var problems = new List<string>();
        var bound = (T)new SettingsBinding(_sections.Where(static one => one.Endpoint == typeof(T)), problems).Bind(KnownSettings.Of(typeof(T))!, settings, section);
        return problems.Count == 0 ? bound : throw new CoapConfigurationException(problems);
    }
}
