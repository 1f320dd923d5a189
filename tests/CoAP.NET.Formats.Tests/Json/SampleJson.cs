using System.Text.Json.Serialization;

namespace CoAP.Formats.Tests;

internal sealed record Sensor(string Name, double Value, int[] History)
{
    public Dictionary<string, int>? Counts { get; init; }

    public required bool IsValid { get; init; }
}

internal sealed class Percent
{
    public int Value
    {
        get;
        set => field = value is >= 0 and <= 100 ? value : throw new ArgumentOutOfRangeException(nameof(value), "secret detail");
    }
}

[JsonPolymorphic]
[JsonDerivedType(typeof(Lamp), "lamp")]
internal abstract record Device;

internal sealed record Lamp(int Level) : Device;

internal sealed record Strict(
    string Name, long Count, float Rate, string? Note, [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)] int Rest,
    int Extra = 7)
{
    public byte[] Raw { get; set; } = [];
}

internal sealed class Fixed(int number)
{
    public int Number { get; } = number;
}

internal sealed class Chain
{
    public Chain? Next { get; set; }
}

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Sensor))]
[JsonSerializable(typeof(Strict))]
[JsonSerializable(typeof(Chain))]
[JsonSerializable(typeof(Fixed))]
[JsonSerializable(typeof(Percent))]
[JsonSerializable(typeof(Device))]
[JsonSerializable(typeof(List<Sensor>))]
[JsonSerializable(typeof(List<List<int>>))]
[JsonSerializable(typeof(int[]))]
[JsonSerializable(typeof(int?))]
[JsonSerializable(typeof(double))]
[JsonSerializable(typeof(long))]
[JsonSerializable(typeof(byte[]))]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(Dictionary<string, string>))]
[JsonSerializable(typeof(System.Text.Json.JsonElement))]
internal sealed partial class SampleJson : JsonSerializerContext;
