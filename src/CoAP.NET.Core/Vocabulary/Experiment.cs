namespace CoAP;

/// <summary>The diagnostics of what may change before 1.0. docs/analyzers.md explains them.</summary>
internal static class Experiment
{
    /// <summary>An arrow of the mesh.</summary>
    public const string Arrow = "COAP901";

    public const string ArrowMessage =
        "The arrow may change or disappear in any version before 1.0. \"Stable arrows\" in docs/your-own-block.md lists those that stay.";

    /// <summary>A setting of an endpoint, of a transport or of DTLS.</summary>
    public const string Setting = "COAP902";

    public const string SettingMessage =
        "The setting may change or disappear in any version before 1.0. docs/configuration.md lists the stable settings.";
}
