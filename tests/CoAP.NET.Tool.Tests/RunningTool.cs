using System.Text;
using CoAP.Tool.Running;

namespace CoAP.Tool.Tests;

/// <summary>A command of the tool that runs until it is stopped, as Ctrl+C does.</summary>
internal sealed class RunningTool : IAsyncDisposable
{
    private readonly CancellationTokenSource _stop = new();
    private readonly SignalingWriter _output = new();
    private readonly SignalingWriter _error = new();
    private readonly Task<int> _running;

    public RunningTool(params string[] arguments) =>
        _running = Task.Run(() => CoapTool.RunAsync(arguments, new Terminal(_output, _error, Stream.Null, Stream.Null), _stop.Token));

    /// <summary>Waits until a line with the address of this scheme is printed, and returns the address.</summary>
    public async Task<string> AddressAsync(string scheme)
    {
        var line = await LineAsync(_output, line => line.StartsWith($"listening {scheme}", StringComparison.Ordinal));
        return line["listening ".Length..];
    }

    /// <summary>Waits until a line with this text is logged: a tool that is stopped does not wait long for its last lines.</summary>
    public Task LogsAsync(string text) => LineAsync(_error, line => line.Contains(text, StringComparison.Ordinal));

    public async Task<ToolRun> StopAsync()
    {
        await _stop.CancelAsync();
        var exitCode = await _running;
        return new ToolRun(exitCode, _output.Text, _error.Text);
    }

    public async ValueTask DisposeAsync()
    {
        await StopAsync();
        _stop.Dispose();
    }

    private async Task<string> LineAsync(SignalingWriter writer, Func<string, bool> isMet)
    {
        while (true)
        {
            // Before the look, so that no line comes unnoticed between both.
            var next = writer.NextLineAsync(_running);
            if (writer.Lines.FirstOrDefault(isMet) is { } line) { return line; }
            _running.IsCompleted.Should().BeFalse(_error.Text);
            await next;
        }
    }

    /// <summary>Collects lines, and tells when there is another one.</summary>
    private sealed class SignalingWriter : TextWriter
    {
        private readonly Lock _gate = new();
        private readonly List<string> _lines = [];
        private readonly StringBuilder _line = new();
        private TaskCompletionSource _next = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public override Encoding Encoding => Encoding.UTF8;

        public string[] Lines
        {
            get
            {
                lock (_gate) { return [.. _lines]; }
            }
        }

        public string Text => string.Join('\n', Lines);

        public Task<Task> NextLineAsync(Task end)
        {
            lock (_gate) { return Task.WhenAny(_next.Task, end); }
        }

        public override void Write(char value)
        {
            lock (_gate)
            {
                if (value != '\n')
                {
                    if (value != '\r') { _line.Append(value); }
                    return;
                }
                _lines.Add(_line.ToString());
                _line.Clear();
                _next.SetResult();
                _next = new(TaskCreationOptions.RunContinuationsAsynchronously);
            }
        }
    }
}
