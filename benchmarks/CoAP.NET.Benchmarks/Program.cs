using BenchmarkDotNet.Running;
using CoAP.Benchmarks;

if (args is [['-', ..] first, ..] && first is not ("--help" or "-h"))
{
    // In this process: the runner cannot build for the target framework.
    BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args.Contains("--inProcess") ? args : [.. args, "--inProcess"]);
    return 0;
}

var commands = new Commands
{
    All = ["grid", "series", "small", "text", "writers", "hop", "pairs", "peak", "transfers", "restart"],
    Usage = """
        CoAP.NET.Benchmarks COMMAND [options]     COMMAND: one, several with commas between them, or all (but checks)
          grid        Serialize, SerializeAsync, Deserialize, DeserializeAsync: options by payload (case study, tables 4, 5, 21, 22)
          series      the same for the second series of the case study, up to 100,000 options and 100 MB (tables 10, 11, 13 to 19)
          text        ways to write the texts of 1,000 options (tables 12 and 13)
          peak        100,000 options and 1 GB, each method in a process of its own, with its peak memory (table 20)
          writers     buffers that grow, and one of the exact size
          pairs       sync against async with the same end, in turns, by message size
          small       small real messages beside hand-written code
          hop         stages of the mesh in a row, inline and as stock Dataflow blocks
          transfers   bodies over a slow path in blocks and in sets of blocks, in simulated time
          restart     a restarted DTLS server takes over the sessions of its file, after kill -9 and after a stop
          checks      limits that hold on every machine; fails if one is exceeded; parts small, large, growth, calls
        CoAP.NET.Benchmarks OPTIONS OF BENCHMARKDOTNET, such as --filter '*Small*'

        """ + RunSettings.Usage + "\n  --seed N                   the seed of the messages",
    ["peak"] = PeakCommand.RunAsync,
    ["peak-run"] = PeakCommand.RunOneAsync,
    ["pairs"] = PairsCommand.RunAsync,
    ["restart"] = RestartCommand.RunAsync,
    ["transfers"] = TransfersCommand.RunAsync,
    ["checks"] = ChecksCommand.RunAsync,
};
foreach (var suite in Suite.Names) { commands[suite] = arguments => Task.FromResult(Suite.Run(suite, arguments)); }
return await commands.RunAsync(args);
