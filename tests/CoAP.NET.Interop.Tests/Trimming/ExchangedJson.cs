using System.Text.Json.Serialization;

namespace CoAP.Interop.Tests.Trimming;

[JsonSerializable(typeof(ExchangedReading))]
internal sealed partial class ExchangedJson : JsonSerializerContext;
