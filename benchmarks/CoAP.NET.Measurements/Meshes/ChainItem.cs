namespace CoAP.Measurements.Meshes;

/// <summary>What goes through a chain.</summary>
internal sealed class ChainItem
{
    public long SentAt { get; set; }

    public long CameAt { get; set; }
}
