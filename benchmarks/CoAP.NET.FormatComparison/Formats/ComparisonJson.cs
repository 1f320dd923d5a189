using System.Text.Json.Serialization;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>The source-generated part of System.Text.Json for the types of the comparison.</summary>
[JsonSourceGenerationOptions(
    GenerationMode = JsonSourceGenerationMode.Metadata, PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    Converters = [typeof(DatumJsonConverter)])]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(int[]))]
[JsonSerializable(typeof(IntTree))]
[JsonSerializable(typeof(Datum))]
internal sealed partial class ComparisonJson : JsonSerializerContext;
