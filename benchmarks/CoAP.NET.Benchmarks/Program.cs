using BenchmarkDotNet.Running;
using CoAP.Benchmarks.Checks;
using CoAP.Benchmarks.Pairs;
using CoAP.Benchmarks.Peak;
using CoAP.Benchmarks.Suite;
using CoAP.Benchmarks.Transfers;

if (!SuiteSettings.IsCommand(args))
{
    if (args.Length == 0)
    {
        Console.Error.WriteLine(SuiteSettings.Usage);
        return 2;
    }
    // In this process: the benchmark runner does not know how to build for the target framework by itself.
    string[] withoutBuild = args.Contains("--inProcess") || args.Contains("-i") ? args : [.. args, "--inProcess"];
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(withoutBuild);
    return 0;
}

if (!SuiteSettings.TryParse(args, out var settings, out var error))
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(SuiteSettings.Usage);
    return 2;
}

switch (settings.Command)
{
    case "checks":
        return await ChecksCommand.RunAsync(settings);
    case "pairs":
        return await PairsCommand.RunAsync(settings);
    case "peak":
        return PeakCommand.Run(settings);
    case "peak-run":
        return PeakCommand.RunOne(settings);
    case "transfers":
        TransferTimes.Print(Console.Out);
        return 0;
    default:
        return SuiteCommand.Run(settings);
}
