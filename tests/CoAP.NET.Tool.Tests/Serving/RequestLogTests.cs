using System.Text;
using CoAP.Testing;
using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

public sealed class RequestLogTests
{
    [Fact]
    public async Task Writes_the_waiting_lines_before_it_ends()
    {
        using var output = new StringWriter();
        var cut = new RequestLog(output, new ManualClock(), isVerbose: false);

        for (var number = 1; number <= 100; number++) { cut.Write($"line {number}"); }
        await cut.DisposeAsync();

        output.ToString().Should().StartWith("line 1").And.EndWith($"line 100{Environment.NewLine}");
    }

    [Fact]
    public async Task Ends_although_nobody_reads_its_output()
    {
        using var output = new BlockedWriter();
        var time = new ManualClock();
        var cut = new RequestLog(output, time, isVerbose: false);

        for (var number = 1; number <= 10_000; number++) { cut.Write("a line"); }
        var end = cut.DisposeAsync().AsTask();
        var endedAtOnce = end.IsCompleted;
        time.Advance(TimeSpan.FromSeconds(1));
        await end;

        endedAtOnce.Should().BeFalse();
        output.Release();
    }

    private sealed class BlockedWriter : TextWriter
    {
        private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override Encoding Encoding => Encoding.UTF8;

        public void Release() => _released.SetResult();

        public override Task WriteLineAsync(string? value) => _released.Task;
    }
}
