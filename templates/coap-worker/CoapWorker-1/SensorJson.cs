using System.Text.Json.Serialization;

namespace ProgramNamespace;

/// <summary>The types that are read and written as JSON.</summary>
[JsonSerializable(typeof(Reading))]
public sealed partial class SensorJson : JsonSerializerContext;
