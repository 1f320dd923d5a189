namespace CoAP.Hosting;

/// <summary>A change of the settings that is applied after all others.</summary>
/// <param name="Apply">Takes the settings and returns the changed ones.</param>
internal sealed record SettingsChange(Func<CoapServerSettings, CoapServerSettings> Apply);
