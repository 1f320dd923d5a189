using global::SampleClient;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Our sample client.</summary>
internal static class SampleClient
{
    /// <summary>Does what the program does with these arguments, without a process of its own.</summary>
    public static async Task<Outcome> RunAsync(params string[] arguments)
    {
        using var output = new MemoryStream();
        using var log = new StringWriter();
        // A thread of its own, because the synchronous form blocks it.
        var exitCode = await Task.Factory.StartNew(
            () => Command.RunAsync(arguments, output, log), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).Unwrap();
        output.Position = 0;
        return new($"SampleClient {string.Join(' ', arguments)}", exitCode, Lines(new StreamReader(output)), Lines(new StringReader(log.ToString())));
    }

    /// <summary>Runs the program as a process.</summary>
    public static Task<Outcome> RunProgramAsync(params string[] arguments) =>
        RunningProgram.RunAsync("dotnet", [Repository.Sample("SampleClient"), .. arguments]);

    /// <summary>Starts the program as a process.</summary>
    public static RunningProgram StartProgram(params string[] arguments) =>
        RunningProgram.Start("dotnet", [Repository.Sample("SampleClient"), .. arguments]);

    private static List<string> Lines(TextReader text)
    {
        var lines = new List<string>();
        while (text.ReadLine() is { } line) { lines.Add(line); }
        return lines;
    }
}
