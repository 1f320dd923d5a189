using System.Text.Json.Serialization;

namespace SampleHostedServer;

/// <summary>The types that are read and written as JSON.</summary>
[JsonSerializable(typeof(Reading))]
internal sealed partial class SensorJson : JsonSerializerContext;
