namespace CoAP.Benchmarks.Reporting;

/// <summary>The commands of a program, by name.</summary>
internal sealed class Commands : Dictionary<string, Func<Arguments, Task<int>>>
{
    /// <summary>The commands that "all" runs one after the other.</summary>
    public required IReadOnlyList<string> All { get; init; }

    public required string Usage { get; init; }

    /// <summary>Runs the command that the first argument names; "all" and names with commas between them run several.</summary>
    /// <returns>0 if all succeeded, 1 if one failed, 2 if the command line is wrong.</returns>
    public async Task<int> RunAsync(string[] args)
    {
        if (args is ["--help" or "-h"])
        {
            Console.WriteLine(Usage);
            return 0;
        }
        try
        {
            var names = args is [] ? [] : args[0] == "all" ? All : args[0].Split(',');
            if (names.Count == 0 || !names.All(ContainsKey)) { throw new UsageException(args is [] ? "A command is missing." : $"There is no command '{args[0]}'."); }
            var exitCode = 0;
            foreach (var name in names)
            {
                if (await this[name](new Arguments(args[1..])) is 0) { continue; }
                exitCode = 1;
                await Console.Error.WriteLineAsync($"{name} failed.");
            }
            return exitCode;
        }
        catch (UsageException problem)
        {
            await Console.Error.WriteLineAsync(problem.Message);
            await Console.Error.WriteLineAsync(Usage);
            return 2;
        }
    }
}
