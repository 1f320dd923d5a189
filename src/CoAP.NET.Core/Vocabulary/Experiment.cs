namespace CoAP;

/// <summary>The diagnostics of what may change before 1.0. docs/analyzers.md explains them.</summary>
internal static class Experiment
{
    /// <summary>An arrow of the mesh.</summary>
    public const string Arrow = "COAP901";

    public const string ArrowMessage =
        "The arrow may change or disappear before 1.0. The page \"Put your own block into the mesh\" lists the stable arrows.";

    /// <summary>A setting of an endpoint, of a transport or of DTLS.</summary>
    public const string Setting = "COAP902";

    public const string SettingMessage =
        "The setting may change or disappear before 1.0. The page \"Keys of the configuration\" lists the stable settings.";
}
