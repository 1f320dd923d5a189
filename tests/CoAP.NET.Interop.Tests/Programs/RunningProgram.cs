using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;

namespace CoAP.Interop.Tests.Programs;

/// <summary>A process with a bounded life: it ends by itself, by a signal, by its time limit, or with the test.</summary>
internal sealed partial class RunningProgram : IAsyncDisposable
{
    public const int Interrupt = 2;
    public const int Terminate = 15;

    public static readonly TimeSpan ShortLife = TimeSpan.FromMinutes(2);

    /// <summary>For a program that many tests use.</summary>
    public static readonly TimeSpan LongLife = TimeSpan.FromMinutes(15);

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TimeSpan _life;
    private readonly Process _process;
    private readonly string _command;
    private readonly List<string> _output = [];
    private readonly List<string> _errors = [];
    private readonly List<(Func<string, bool> IsMet, TaskCompletionSource<string> Line)> _waits = [];
    private readonly Lock _gate = new();

    private RunningProgram(TimeSpan life, string file, string[] arguments)
    {
        _life = life;
        _command = $"{file} {string.Join(' ', arguments)}";
        // The limit of "timeout" holds even when the tests themselves are killed. It kills a program that does not end after a signal, ours
        // included. On a loaded machine, a server needs more than five seconds.
        string[] bounded = ["-k", "60", life.TotalSeconds.ToString("0", null), file, .. arguments];
        var start = new ProcessStartInfo("timeout", bounded)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        // Our programs end before a profile of their code would pay.
        start.Environment["DOTNET_TieredPGO"] = "0";
        _process = new Process { StartInfo = start };
        _process.OutputDataReceived += (_, line) => Take(line.Data, _output);
        _process.ErrorDataReceived += (_, line) => Take(line.Data, _errors);
    }

    public static RunningProgram Start(string file, params string[] arguments) => Start(ShortLife, file, arguments);

    /// <summary>Starts a program that is ended after this time.</summary>
    public static RunningProgram Start(TimeSpan life, string file, params string[] arguments)
    {
        var program = new RunningProgram(life, file, arguments);
        program._process.Start();
        program._process.StandardInput.Close();
        program._process.BeginOutputReadLine();
        program._process.BeginErrorReadLine();
        return program;
    }

    public static Task<Outcome> RunAsync(string file, params string[] arguments) => RunAsync(ShortLife, file, arguments);

    /// <summary>Runs a program to its end, for at most this time.</summary>
    public static async Task<Outcome> RunAsync(TimeSpan life, string file, params string[] arguments)
    {
        await using var program = Start(life, file, arguments);
        return await program.EndAsync();
    }

    /// <summary>The number of lines that the program has written to its output until now.</summary>
    public int LineCount
    {
        get { lock (_gate) { return _output.Count; } }
    }

    /// <summary>Counts the lines of the output that meet a condition.</summary>
    public int CountLines(Func<string, bool> isMet)
    {
        lock (_gate) { return _output.Count(isMet); }
    }

    /// <summary>Waits for a line on either stream, also one that was written before, but not for the first ones of the output.</summary>
    public async Task<string> LineAsync(Func<string, bool> isMet, int skip = 0)
    {
        var line = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_output.Skip(skip).Concat(_errors).FirstOrDefault(isMet) is { } found) { return found; }
            _waits.Add((isMet, line));
        }
        var ended = _process.WaitForExitAsync();
        await Task.WhenAny(line.Task, ended).WaitAsync(Patience);
        return line.Task.IsCompleted ? await line.Task : throw new InvalidOperationException($"Ended without the line.\n{Now(_process.ExitCode)}");
    }

    /// <summary>Waits for the end.</summary>
    public async Task<Outcome> EndAsync()
    {
        await _process.WaitForExitAsync().WaitAsync(_life + Patience);
        return Now(_process.ExitCode);
    }

    public Task<Outcome> EndAsync(int signal)
    {
        _ = Kill(_process.Id, signal);
        return EndAsync();
    }

    /// <summary>The bytes of memory that the program holds now.</summary>
    public long ResidentBytes()
    {
        var line = File.ReadLines($"/proc/{Child()}/status").Single(line => line.StartsWith("VmRSS:", StringComparison.Ordinal));
        return long.Parse(line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1], CultureInfo.InvariantCulture) << 10;
    }

    /// <summary>Ends the program at once.</summary>
    public Task<Outcome> KillAsync()
    {
        _ = Kill(int.Parse(Child(), CultureInfo.InvariantCulture), signal: 9);
        return EndAsync();
    }

    public override string ToString() => Now(exitCode: -1).ToString();

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited)
        {
            _process.Kill(entireProcessTree: true);
            await _process.WaitForExitAsync();
        }
        _process.Dispose();
    }

    // The process itself is the one that watches over the time.
    private string Child() => File.ReadAllText($"/proc/{_process.Id}/task/{_process.Id}/children").Trim();

    private Outcome Now(int exitCode)
    {
        lock (_gate) { return new(_command, exitCode, [.. _output], [.. _errors]); }
    }

    private void Take(string? line, List<string> lines)
    {
        if (line is null) { return; }
        lock (_gate)
        {
            lines.Add(line);
            foreach (var (isMet, waiting) in _waits.Where(wait => wait.IsMet(line))) { waiting.TrySetResult(line); }
        }
    }

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Kill(int process, int signal);
}
