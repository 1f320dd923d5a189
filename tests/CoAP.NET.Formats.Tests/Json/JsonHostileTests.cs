using System.Text.Json;

namespace CoAP.Formats.Tests;

public sealed class JsonHostileTests
{
    private const int Seed = 50;

    private static readonly JsonFormat Format = new(SampleJson.Default);

    private static readonly byte[][] Valid =
    [
        JsonSerializer.SerializeToUtf8Bytes(new Sensor("name", 1.5, [1, 2, 3]) { IsValid = true, Counts = new() { ["x"] = 1 } },
            SampleJson.Default.Sensor),
        """[{"name":"\u00e9\\n","value":-1e300,"history":[],"isValid":false,"more":{"x":[[[null,true]]]}}]"""u8.ToArray(),
        "[[1,2],[],[3]]"u8.ToArray(), """{"a":"b","c":"d"}"""u8.ToArray(), "\"aGVsbG8=\""u8.ToArray(), "null"u8.ToArray(),
        "12345678901234567890"u8.ToArray(),
        """{"$type":"lamp","level":3}"""u8.ToArray(), """{"value":50}"""u8.ToArray(),
    ];

    [Fact]
    public void Random_bytes_break_nothing() => HostileInputs.Run(Valid, (bytes, turn) => Read(turn % 8, bytes), Seed);

    [Fact]
    public void Random_bytes_break_no_item_streams() =>
        HostileInputs.Run(Valid, bytes => _ = Format.ReadItems<Sensor>(new Pieces(bytes, 16)).Count(), Seed + 1);

    private static object? Read(int turn, byte[] bytes) => turn switch
    {
        0 => Format.Read<Sensor>(bytes),
        1 => Format.Read<List<Sensor>>(bytes),
        2 => Format.Read<List<List<int>>>(bytes),
        3 => Format.Read<Dictionary<string, string>>(bytes),
        4 => Format.Read<JsonElement>(bytes).ValueKind,
        5 => Format.Read<byte[]>(bytes),
        6 => Format.Read<Device>(bytes),
        _ => Format.Read<Percent>(bytes),
    };
}
