using System.Runtime.CompilerServices;
using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Measuring;

/// <summary>Measures one large list in one format. Runs in a process of its own, so that the peak of its memory is its own.</summary>
internal sealed class LargeRun(string format, IntSequence sequence, TimeSpan warmUp)
{
    public const string Command = "formats-run";
    public const string Whole = "whole";
    public const string Items = "items";
    public const string ItemsAsync = "items, async";

    private const int WarmUpCount = 10_000;

    private readonly DataSets _sets = new(FormatSet.Raised, sequence.Seed);

    /// <summary>Runs the command that <see cref="StartAsync"/> starts.</summary>
    public static async Task<int> RunAsync(Arguments arguments)
    {
        var form = arguments.OneOf("--form", Whole, Items, ItemsAsync);
        var count = arguments.Count("--count", 1, 1 << 28) ?? 1;
        var seed = arguments.Count("--seed", 0, int.MaxValue) ?? 0;
        var warmUp = arguments.Count("--warm-up", 0, 60_000) ?? 0;
        var format = arguments.Plain() ?? throw new UsageException("The name of a format is missing.");
        arguments.End();
        var run = new LargeRun(format, new IntSequence(seed, count), TimeSpan.FromMilliseconds(warmUp));
        var figures = form == Whole ? run.MeasureWhole() : await run.MeasureItemsAsync(form == ItemsAsync);
        Console.WriteLine(figures.ToLine());
        return 0;
    }

    /// <summary>Measures in another process.</summary>
    public static async Task<LargeFigures> StartAsync(string format, string form, IntSequence sequence, int warmUpMilliseconds)
    {
        string[] own =
        [
            typeof(LargeRun).Assembly.Location, Command, format, "--form", form, "--count", $"{sequence.Count}", "--seed", $"{sequence.Seed}",
            "--warm-up", $"{warmUpMilliseconds}",
        ];
        var start = new ProcessStartInfo("dotnet", own) { RedirectStandardOutput = true, RedirectStandardError = true };
        // Garbage that has not been collected yet would count as memory in use: 4 MiB of it at most.
        start.Environment["DOTNET_GCgen0size"] = "400000";
        using var process = Process.Start(start)!;
        var errors = process.StandardError.ReadToEndAsync();
        var output = await process.StandardOutput.ReadToEndAsync();
        await process.WaitForExitAsync();
        return process.ExitCode == 0
            ? LargeFigures.Parse(output)
            : throw new InvalidOperationException($"{format} ({form}) with {sequence.Count} integers ended with {process.ExitCode}: {await errors}");
    }

    private LargeFigures MeasureWhole()
    {
        var small = new IntSequence(sequence.Seed, WarmUpCount);
        var warm = _sets.IntsIn(format, small, small.ToArray());
        WarmUp(() => Expect(warm.Matches(warm.Deserialize(warm.ToBytes()))));
        var (bytes, serialize, serializePeak) = Serialize();
        var start = ProcessMemory.ResetPeak();
        var reading = _sets.IntsIn(format, sequence, []);
        var begin = Stopwatch.GetTimestamp();
        var value = reading.Deserialize(bytes);
        var deserialize = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        var deserializePeak = ProcessMemory.Peak() - start;
        Expect(reading.Matches(value));
        return new LargeFigures(bytes.Length, serialize, deserialize, serializePeak, deserializePeak);
    }

    // A method of its own, so that the values are garbage when it returns.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private (ReadOnlyMemory<byte> Bytes, double Milliseconds, long Peak) Serialize()
    {
        var start = ProcessMemory.ResetPeak();
        var writing = _sets.IntsIn(format, sequence, sequence.ToArray());
        ProcessMemory.ResetPeak();
        var output = new ArrayBufferWriter<byte>();
        var begin = Stopwatch.GetTimestamp();
        writing.Serialize(output);
        var time = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        return (output.WrittenMemory, time, ProcessMemory.Peak() - start);
    }

    private async Task<LargeFigures> MeasureItemsAsync(bool isAsync)
    {
        var form = IntStreams.Of(FormatSet.Raised).First(one => one.Format == format);
        if (isAsync && form.WriteAsync is null) { throw new UsageException($"{format} has no asynchronous form."); }
        var small = new IntSequence(sequence.Seed, WarmUpCount);
        WarmUp(() => RoundTripAsync(form, small, isAsync).GetAwaiter().GetResult());
        await using var file = new FileStream(Path.GetTempFileName(), new FileStreamOptions
        {
            Mode = FileMode.Create,
            Access = FileAccess.ReadWrite,
            BufferSize = 0,
            Options = FileOptions.DeleteOnClose | (isAsync ? FileOptions.Asynchronous : 0),
        });
        var (serialize, serializePeak) = await WriteAsync(form, file, isAsync);
        file.Position = 0;
        var start = ProcessMemory.ResetPeak();
        var list = new IntCollector();
        var begin = Stopwatch.GetTimestamp();
        await ReadAsync(form, file, list, isAsync);
        var deserialize = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        var deserializePeak = ProcessMemory.Peak() - start;
        Expect(sequence.Matches(list));
        return new LargeFigures(file.Length, serialize, deserialize, serializePeak, deserializePeak);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private async Task<(double Milliseconds, long Peak)> WriteAsync(IntStream form, FileStream file, bool isAsync)
    {
        var start = ProcessMemory.ResetPeak();
        var values = sequence.ToArray();
        var begin = Stopwatch.GetTimestamp();
        await WriteAsync(form, file, values, isAsync);
        return (Stopwatch.GetElapsedTime(begin).TotalMilliseconds, ProcessMemory.Peak() - start);
    }

    private static async Task RoundTripAsync(IntStream form, IntSequence small, bool isAsync)
    {
        using var memory = new MemoryStream();
        await WriteAsync(form, memory, small.ToArray(), isAsync);
        memory.Position = 0;
        var list = new IntCollector();
        await ReadAsync(form, memory, list, isAsync);
        Expect(small.Matches(list));
    }

    private static Task WriteAsync(IntStream form, Stream stream, int[] values, bool isAsync)
    {
        if (isAsync) { return form.WriteAsync!(stream, values); }
        form.Write(stream, values);
        return Task.CompletedTask;
    }

    private static Task ReadAsync(IntStream form, Stream stream, IntCollector list, bool isAsync)
    {
        if (isAsync) { return form.ReadAsync!(stream, list); }
        form.Read(stream, list);
        return Task.CompletedTask;
    }

    // Loads and optimizes the code first, so that only the list counts.
    private void WarmUp(Action work)
    {
        var all = Stopwatch.StartNew();
        do { work(); }
        while (all.Elapsed < warmUp);
    }

    private static void Expect(bool isRight)
    {
        if (!isRight) { throw new InvalidOperationException("The list that was read is not the list that was written."); }
    }
}
