using System.Text.Json;
using System.Text.Json.Serialization;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>Values of the model in JSON. A pair is an object with one member.</summary>
internal sealed class DatumJsonConverter : JsonConverter<Datum>
{
    public override void Write(Utf8JsonWriter writer, Datum value, JsonSerializerOptions options)
    {
        switch (value)
        {
            case BooleanDatum flag: writer.WriteBooleanValue(flag.Value); break;
            case Int32Datum number: writer.WriteNumberValue(number.Value); break;
            case Int64Datum number: writer.WriteNumberValue(number.Value); break;
            case SingleDatum number: writer.WriteNumberValue(number.Value); break;
            case DoubleDatum number: writer.WriteNumberValue(number.Value); break;
            case TextDatum text: writer.WriteStringValue(text.Value); break;
            case PairDatum pair:
                writer.WriteStartObject();
                writer.WritePropertyName(pair.Key);
                Write(writer, pair.Value, options);
                writer.WriteEndObject();
                break;
            case ListDatum list:
                writer.WriteStartArray();
                foreach (var item in list.Items) { Write(writer, item, options); }
                writer.WriteEndArray();
                break;
        }
    }

    public override Datum Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options) => Read(ref reader);

    private static Datum Read(ref Utf8JsonReader reader) => reader.TokenType switch
    {
        JsonTokenType.True => new BooleanDatum(true),
        JsonTokenType.False => new BooleanDatum(false),
        JsonTokenType.Number => reader.TryGetInt64(out var integer) ? Numbers.FromInteger(integer) : new DoubleDatum(reader.GetDouble()),
        JsonTokenType.String => new TextDatum(reader.GetString()!),
        JsonTokenType.StartArray => ReadList(ref reader),
        JsonTokenType.StartObject => ReadPair(ref reader),
        var token => throw new JsonException($"The model has no {token}."),
    };

    private static ListDatum ReadList(ref Utf8JsonReader reader)
    {
        var items = new List<Datum>();
        while (reader.Read() && reader.TokenType != JsonTokenType.EndArray) { items.Add(Read(ref reader)); }
        return new ListDatum([.. items]);
    }

    private static PairDatum ReadPair(ref Utf8JsonReader reader)
    {
        if (!reader.Read() || reader.TokenType != JsonTokenType.PropertyName) { throw new JsonException("A pair is an object with one member."); }
        var key = reader.GetString()!;
        reader.Read();
        var pair = new PairDatum(key, Read(ref reader));
        return reader.Read() && reader.TokenType == JsonTokenType.EndObject ? pair : throw new JsonException("A pair is an object with one member.");
    }
}
