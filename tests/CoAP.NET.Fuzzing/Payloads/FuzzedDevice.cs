using System.Text.Json;
using System.Text.Json.Serialization;

namespace CoAP.Fuzzing.Payloads;

/// <summary>A value with members of all kinds.</summary>
internal sealed class FuzzedDevice
{
    private static readonly JsonSerializerOptions Options = new() { NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals };

    public string? Name { get; set; }

    public bool IsOn { get; set; }

    public int Count { get; set; }

    public ulong Serial { get; set; }

    public long? Offset { get; set; }

    public double Level { get; set; }

    public float? Share { get; set; }

    public DateTimeOffset? Since { get; set; }

    public byte[]? Key { get; set; }

    public List<int>? Numbers { get; set; }

    public Dictionary<string, double>? Values { get; set; }

    public FuzzedDevice? Parent { get; set; }

    public List<FuzzedDevice>? Parts { get; set; }

    /// <summary>A text that differs for devices that differ, by another serializer.</summary>
    public static string Describe(FuzzedDevice device) => JsonSerializer.Serialize(device, Options);
}
