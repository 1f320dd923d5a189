using BenchmarkDotNet.Running;
using CoAP.Benchmarks.Transfers;

if (args is ["transfers"])
{
    TransferTimes.Print(Console.Out);
    return 0;
}

// In this process: the benchmark runner does not know how to build for the target framework by itself.
string[] withoutBuild = args.Contains("--inProcess") || args.Contains("-i") ? args : [.. args, "--inProcess"];
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(withoutBuild);
return 0;
