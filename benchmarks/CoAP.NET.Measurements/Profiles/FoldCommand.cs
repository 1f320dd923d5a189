using System.Globalization;
using CoAP.Measurements.Reporting;

namespace CoAP.Measurements.Profiles;

/// <summary>Folds a profile on the input into a table; "benchmarks/profile" makes one.</summary>
internal static class FoldCommand
{
    public static int Run()
    {
        var profile = FoldedProfile.Read(Console.In);
        if (profile.Total == 0)
        {
            Console.Error.WriteLine("There are no samples on the input.");
            return 1;
        }
        var table = new Table("profile", "where", "share of samples");
        foreach (var (part, percent, details) in profile.Parts)
        {
            table.Add(part, Text(percent));
            foreach (var (detail, of) in details) { table.Add($"– of it {detail}", Text(of)); }
        }
        table.Print(Console.Out);
        Console.WriteLine();
        Print(profile.ByThread);
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{profile.Total:N0} samples."));
        return 0;
    }

    private static void Print(ThreadShares shares)
    {
        var table = new Table("threads", "thread", "share of samples", "of it kernel locks", "runtime locks", "runtime without names");
        foreach (var one in shares.Threads)
        {
            table.Add(one.Thread, Text(one.OfAll), Fine(one.InKernelLocks), Fine(one.InRuntimeLocks), Fine(one.Unnamed));
        }
        table.Print(Console.Out);
    }

    private static string Fine(double percent) => string.Create(CultureInfo.InvariantCulture, $"{percent:0.00} %");

    private static string Text(double percent) => string.Create(CultureInfo.InvariantCulture, $"{percent:0.0} %");
}
