using System.Text.Json.Serialization;

namespace CoAP.Fuzzing.Payloads;

// 1e400 reads as infinity, which is not written otherwise.
[JsonSourceGenerationOptions(NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals)]
[JsonSerializable(typeof(FuzzedDevice))]
internal sealed partial class FuzzedJson : JsonSerializerContext;
