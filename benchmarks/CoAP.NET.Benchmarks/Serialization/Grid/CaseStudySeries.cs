namespace CoAP.Benchmarks.Serialization.Grid;

/// <summary>The case study's tables 10, 11 and 13 to 19 (means in microseconds), without the stream writer of table 12.</summary>
internal static class CaseStudySeries
{
    private static readonly (int Options, int Payload, double SerializeAsync, double Serialize, double DeserializeAsync, double Deserialize)[] Rows =
    [
        (0, 1_000, 5.914, 6.207, 3.284, 3.261),
        (0, 100_000, 8.611, 84.259, 57.500, 107.972),
        (1_000, 0, 740.2, 330.7, 952.6, 591.0),
        (1_000, 1_000, 715.4, 315.6, 923.6, 593.0),
        (1_000, 100_000, 721.9, 368.6, 1_047.4, 767.0),
        (100_000, 0, 68_010, 30_870, 144_430, 116_400),
        (100_000, 1_000, 69_350, 31_500, 152_990, 110_340),
        (100_000, 100_000, 69_250, 32_230, 166_150, 113_150),
        (100_000, 1_000_000, 69_000, 34_340, 140_890, 102_680),
    ];

    public static double? Mean(string method, int options, int payload)
    {
        foreach (var row in Rows)
        {
            if (row.Options != options || row.Payload != payload) { continue; }
            return method switch
            {
                "SerializeAsync" => row.SerializeAsync,
                "Serialize" => row.Serialize,
                "DeserializeAsync" => row.DeserializeAsync,
                "Deserialize" => row.Deserialize,
                _ => null,
            };
        }
        return null;
    }
}
