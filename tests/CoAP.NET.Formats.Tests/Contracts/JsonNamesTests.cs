using System.Formats.Cbor;
using System.Text.Json;
using System.Text.Json.Nodes;
using CoAP.Formats.Tests.Shapes;
using PlainReader = System.Formats.Cbor.CborReader;

namespace CoAP.Formats.Tests;

// System.Text.Json writes the same names and values of the same objects; the decoder of the runtime reads the CBOR.
public sealed class JsonNamesTests
{
    private const int Rounds = 500;

    [Fact]
    public void Random_numbers_have_the_members_of_Json() => Compare(random => ContractSamples.Numbers(random), seed: 1);

    [Fact]
    public void Random_readings_have_the_members_of_Json() => Compare(random => ContractSamples.Reading(random), seed: 2);

    [Fact]
    public void Random_trees_have_the_members_of_Json() => Compare(random => ContractSamples.Node(random), seed: 3);

    [Fact]
    public void Names_and_omissions_are_those_of_Json() => Compare(
        random => new Sparse { Name = random.Next(2) == 0 ? null : "a", Count = random.Next(2), Limit = random.Next(2) == 0 ? null : 0 },
        seed: 4,
        "Secret");

    private static void Compare<T>(Func<Random, T> create, int seed, string? onlyInJson = null)
    {
        var random = new Random(seed);
        for (var i = 0; i < Rounds; i++)
        {
            var value = create(random);
            var payload = ContractRuns.Write(value);
            var json = JsonSerializer.SerializeToNode(value)!;
            if (onlyInJson is not null) { json.AsObject().Remove(onlyInJson); }
            var reader = new PlainReader(payload, CborConformanceMode.Strict);
            JsonNode.DeepEquals(Read(reader), json).Should().BeTrue($"value {i} of seed {seed} is {json}");
            JsonSerializer.Serialize(ContractRuns.Read<T>(payload)).Should().Be(
                JsonSerializer.Serialize(onlyInJson is null ? value : ContractRuns.Read<T>(payload)), $"value {i} of seed {seed} is read as it was");
        }
    }

    private static JsonNode? Read(PlainReader reader)
    {
        switch (reader.PeekState())
        {
            case CborReaderState.StartMap: return ReadMap(reader);
            case CborReaderState.StartArray: return ReadArray(reader);
            case CborReaderState.TextString: return reader.ReadTextString();
            case CborReaderState.Boolean: return reader.ReadBoolean();
            case CborReaderState.UnsignedInteger: return reader.ReadUInt64();
            case CborReaderState.NegativeInteger: return reader.ReadInt64();
            case CborReaderState.HalfPrecisionFloat: return (double)reader.ReadHalf();
            case CborReaderState.SinglePrecisionFloat: return JsonNode.Parse(JsonSerializer.Serialize(reader.ReadSingle()));
            case CborReaderState.DoublePrecisionFloat: return reader.ReadDouble();
            default:
                reader.ReadNull();
                return null;
        }
    }

    private static JsonObject ReadMap(PlainReader reader)
    {
        var map = new JsonObject();
        reader.ReadStartMap();
        while (reader.PeekState() is not CborReaderState.EndMap) { map.Add(reader.ReadTextString(), Read(reader)); }
        reader.ReadEndMap();
        return map;
    }

    private static JsonArray ReadArray(PlainReader reader)
    {
        var array = new JsonArray();
        reader.ReadStartArray();
        while (reader.PeekState() is not CborReaderState.EndArray) { array.Add(Read(reader)); }
        reader.ReadEndArray();
        return array;
    }
}
