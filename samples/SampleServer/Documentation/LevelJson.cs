using System.Text.Json.Serialization;

namespace SampleServer;

/// <summary>The types that typed handlers read and write as JSON.</summary>
[JsonSerializable(typeof(Level))]
internal sealed partial class LevelJson : JsonSerializerContext;
