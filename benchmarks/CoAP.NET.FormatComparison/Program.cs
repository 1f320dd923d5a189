using CoAP.FormatComparison;
using CoAP.FormatComparison.Measuring;

return await new Commands
{
    All = ["formats"],
    Usage = """
        CoAP.NET.FormatComparison formats [options]
          formats     time, size, memory and limits of CBOR, MessagePack, Protobuf, JSON and XML, for the data sets of
                      "Vergleich binärer und nicht-binärer Serialisierungsformate";
                      parts lists, tree, mixed, large, async, depth, homogeneity, breadth

        """ + RunSettings.Usage + """

          --page FILE                measures nothing: copies the tables of --output into a page,
                                     between its marks <!-- table NAME --> and <!-- end -->
          --seed N                   of the data (42)
        """,
    ["formats"] = FormatsCommand.RunAsync,
    [LargeRun.Command] = LargeRun.RunAsync,
}.RunAsync(args);
