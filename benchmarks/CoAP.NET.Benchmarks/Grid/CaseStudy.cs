namespace CoAP.Benchmarks;

/// <summary>The means of the case study, in microseconds (AMD Ryzen 5 2600, .NET of 2021): tables 4 and 5, then 10, 11 and 13 to 19.</summary>
internal static class CaseStudy
{
    // Options, payload; DeserializeAsync, Deserialize, SerializeAsync, Serialize.
    private const string Means = """
        0 0 2.231 1.679 5.618 5.142
        0 1024 3.298 3.683 5.658 5.867
        0 4096 5.077 6.570 5.710 7.186
        0 65536 64.490 98.533 7.356 23.527
        0 131072 111.011 175.433 9.347 49.680
        1024 0 1440.076 1030.051 857.681 551.922
        1024 1024 1402.291 1014.093 864.956 569.763
        1024 4096 1416.083 1027.275 874.255 570.333
        1024 65536 1592.417 1631.388 853.992 563.479
        1024 131072 1817.051 1781.418 878.702 594.334
        4096 0 8416.154 6477.162 3415.820 2758.439
        4096 1024 8147.070 6711.475 3520.379 2659.178
        4096 4096 8737.255 6558.996 3415.203 2596.436
        4096 65536 9057.536 6924.552 3517.490 2507.161
        4096 131072 9543.723 7530.808 3533.880 2559.126
        65536 0 203180.664 166612.138 57919.596 58896.194
        65536 1024 198211.164 190898.380 55995.639 58689.037
        65536 4096 201316.657 190316.150 54769.243 58655.719
        65536 65536 200257.897 195944.825 56494.925 59328.566
        65536 131072 201631.362 170582.006 56286.964 57420.750
        131072 0 372129.381 286105.657 112894.956 117807.577
        131072 1024 372065.709 285783.220 110892.868 119120.364
        131072 4096 368936.160 282355.564 109851.123 120061.250
        131072 65536 366150.575 292059.675 111436.460 120002.202
        131072 131072 370709.611 304488.343 112449.316 120453.645
        0 1000 3.284 3.261 5.914 6.207
        0 100000 57.500 107.972 8.611 84.259
        1000 0 952.6 591.0 740.2 330.7
        1000 1000 923.6 593.0 715.4 315.6
        1000 100000 1047.4 767.0 721.9 368.6
        100000 0 144430 116400 68010 30870
        100000 1000 152990 110340 69350 31500
        100000 100000 166150 113150 69250 32230
        100000 1000000 140890 102680 69000 34340
        """;

    private static readonly double[][] Rows =
        [.. Means.Split('\n').Select(static row => row.Split(' ').Select(static cell => double.Parse(cell, CultureInfo.InvariantCulture)).ToArray())];

    /// <summary>Returns the document's mean of a method, or <c>null</c> if it has none.</summary>
    public static double? Mean(string method, int options, int payload)
    {
        var column = method switch
        {
            "DeserializeAsync" => 2,
            "Deserialize" or "DeserializeAndReadTyped" => 3,
            "SerializeAsync" => 4,
            "Serialize" or "BuildAndSerialize" => 5,
            _ => -1,
        };
        return column < 0 ? null : Array.Find(Rows, row => row[0] == options && row[1] == payload)?[column];
    }
}
