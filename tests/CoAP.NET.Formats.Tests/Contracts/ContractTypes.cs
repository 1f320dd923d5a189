using System.Text.Json.Serialization;

namespace CoAP.Formats.Tests.Shapes;

// The types for which the generator writes contracts in these tests.
[PayloadContract(typeof(Reading))]
[PayloadContract(typeof(Numbers))]
[PayloadContract(typeof(Node))]
[PayloadContract(typeof(Collected))]
[PayloadContract(typeof(Page<Reading>))]
[PayloadContract(typeof(Derived))]
[PayloadContract(typeof(Kept))]
[PayloadContract(typeof(Point))]
[PayloadContract(typeof(Chosen))]
[PayloadContract(typeof(Sparse))]
[PayloadContract(typeof(Numbered))]
[PayloadContract(typeof(Wide))]
[PayloadContract(typeof(Keywords))]
[PayloadContract(typeof(Old))]
[PayloadContract(typeof(Empty))]
[PayloadContract(typeof(List<List<Reading>>))]
[PayloadContract(typeof(Mode?))]
[PayloadContract(typeof(Turn))]
internal sealed partial class TestContracts : PayloadContracts;

internal sealed record Reading(string Sensor, double Temperature, Mode Mode = Mode.Fast, int? Battery = null);

internal enum Mode : byte
{
    Off,
    Slow,
    Fast = 7,
}

[JsonConverter(typeof(JsonStringEnumConverter<Turn>))]
internal enum Turn
{
    Left = 1,
    Right,
}

[PayloadEnumNames]
internal enum Level
{
    Low,
    Medium,
    Normal = Medium,
    [JsonStringEnumMemberName("very-high")]
    VeryHigh,
}

internal sealed class Numbers
{
    public bool Flag { get; set; }
    public sbyte SByte { get; set; }
    public byte Byte { get; set; }
    public short Int16 { get; set; }
    public ushort UInt16 { get; set; }
    public int Int32 { get; set; }
    public uint UInt32 { get; set; }
    public long Int64 { get; set; }
    public ulong UInt64 { get; set; }
    public float Single { get; set; }
    public double Double { get; set; }
    public string? Text { get; set; }
    public Guid Id { get; set; }
    public char Letter { get; set; } = 'x';
    public DateOnly Date { get; set; }
    public Uri? Link { get; set; }
}

internal sealed class Node
{
    public int Value { get; set; }
    public List<Node> Children { get; set; } = [];
    public Node? Next { get; set; }
}

internal sealed class Collected
{
    public int[] Numbers { get; set; } = [];
    public List<string?> Names { get; set; } = [];
    public IReadOnlyList<Reading> Readings { get; set; } = [];
    public IEnumerable<double> Doubles { get; set; } = [];
    public HashSet<long> Ids { get; set; } = [];
    public Dictionary<string, Reading?> ByName { get; set; } = [];
    public IReadOnlyDictionary<int, int[]> ByNumber { get; set; } = new Dictionary<int, int[]>();
    public int?[]? Gaps { get; set; }
    public int[][] Table { get; set; } = [];
    public List<Mode> Modes { get; set; } = [];
    public Level[] Levels { get; set; } = [];
    public byte[] Bytes { get; set; } = [];
}

internal sealed record Page<T>(IReadOnlyList<T> Items, int Total)
{
    public T? First { get; init; }
}

internal class Base
{
    public int Id { get; set; }
    public virtual string Kind => "base";
}

internal sealed class Derived : Base
{
    public string Name { get; set; } = "";
    public override string Kind => "derived";
}

internal sealed class Kept
{
    public required string Name { get; init; }
    public int Port { get; init; } = 5683;
    public string Path { get; set; } = "/";
}

internal readonly record struct Point(double X, double Y);

internal sealed class Chosen
{
    public Chosen() => Way = "none";

    [JsonConstructor]
    public Chosen(int number)
    {
        Number = number;
        Way = "number";
    }

    public int Number { get; }

    [JsonIgnore]
    public string Way { get; }
}

internal sealed class Sparse
{
    [JsonPropertyName("n")]
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public string? Name { get; set; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingDefault)]
    public int Count { get; set; }

    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public int? Limit { get; set; }

    [PayloadIgnore]
    public string Secret { get; set; } = "hidden";
}

internal sealed record Numbered([property: PayloadKey(1)] string Issuer, [property: PayloadKey(-2)] long Expires)
{
    [PayloadKey("note")]
    public string? Note { get; set; }
}

internal sealed record Keywords(int @class, string @event)
{
    [PayloadKey("größe \"€\"")]
    public int Size { get; init; }
}

#nullable disable
internal sealed class Old
{
    public string Text { get; set; }
    public Reading Reading { get; set; }
}
#nullable restore

internal sealed class Empty;
