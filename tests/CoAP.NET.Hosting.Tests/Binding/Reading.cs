using System.Text.Json.Serialization;

namespace CoAP.Hosting.Tests.Binding;

internal sealed record Reading(double Watts);

internal enum Unit { Watts, Volts }

[JsonSerializable(typeof(Reading))]
[JsonSerializable(typeof(int))]
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
internal sealed partial class ReadingJson : JsonSerializerContext;
