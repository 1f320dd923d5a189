using System.Text.Json.Serialization;

namespace CoAP.Benchmarks.Load;

/// <summary>The contract for JSON.</summary>
[JsonSerializable(typeof(Reading))]
internal sealed partial class ReadingJson : JsonSerializerContext;
