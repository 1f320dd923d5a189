using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Text;
using System.Text.RegularExpressions;

namespace CoAP.Interop.Tests.Programs;

/// <summary>The program "openssl" as one side of DTLS. What is written to it goes into one record. It prints its log and the content of the records.</summary>
internal sealed partial class OpenSslTool : IAsyncDisposable
{
    private const string LifeInSeconds = "60";

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Process _process;
    private readonly StringBuilder _output = new();
    private readonly List<(Func<string, bool> IsMet, TaskCompletionSource Met)> _waits = [];
    private readonly Lock _gate = new();
    private readonly Task _end;

    private OpenSslTool(string[] arguments)
    {
        // The limit of "timeout" holds even when the tests themselves are killed.
        var start = new ProcessStartInfo("timeout", ["-k", "5", LifeInSeconds, Needed.OpenSsl, .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            // One character per byte.
            StandardOutputEncoding = Encoding.Latin1,
            StandardErrorEncoding = Encoding.Latin1,
        };
        _process = Process.Start(start)!;
        _end = Task.WhenAll(ReadAsync(_process.StandardOutput), ReadAsync(_process.StandardError));
    }

    /// <summary>The port of a server.</summary>
    public int Port { get; private set; }

    /// <summary>What the program has written until now, one character per byte.</summary>
    public string Output
    {
        get { lock (_gate) { return _output.ToString(); } }
    }

    /// <summary>The number of the alert that the program has received; <see langword="null"/> if none.</summary>
    public int? Alert => AlertNumber().Match(Output) is { Success: true } match ? int.Parse(match.Groups[1].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture) : null;

    /// <summary>Starts a client, which begins a handshake at once.</summary>
    public static OpenSslTool StartClient(IPEndPoint server, params string[] arguments) => new(["s_client", "-dtls1_2", "-connect", server.ToString(), .. arguments]);

    /// <summary>Starts a server on a free port of an address.</summary>
    public static async Task<OpenSslTool> StartServerAsync(IPAddress address, params string[] arguments)
    {
        var program = new OpenSslTool(["s_server", "-dtls1_2", "-accept", new IPEndPoint(address, 0).ToString(), .. arguments]);
        try
        {
            await program.SeesAsync(static output => Accepting().IsMatch(output));
            program.Port = int.Parse(Accepting().Match(program.Output).Groups[1].ValueSpan, NumberStyles.None, CultureInfo.InvariantCulture);
            return program;
        }
        catch
        {
            await program.DisposeAsync();
            throw;
        }
    }

    /// <summary>Sends a message in one record.</summary>
    public async Task SendAsync(ReadOnlyMemory<byte> message)
    {
        await _process.StandardInput.BaseStream.WriteAsync(message);
        await _process.StandardInput.BaseStream.FlushAsync();
    }

    /// <summary>Waits for a GET of a path with one segment, and answers it as a server.</summary>
    public async Task AnswerAsync(string path, string payload)
    {
        await SeesAsync(output => PlainMessage.FindGetOf(path, output) is not null);
        await SendAsync(PlainMessage.ContentFor(PlainMessage.FindGetOf(path, Output)!, payload));
    }

    /// <summary>Waits until the program has written a text.</summary>
    public Task SeesAsync(string text) => SeesAsync(output => output.Contains(text, StringComparison.Ordinal));

    /// <summary>Waits until the program has written what is expected.</summary>
    public async Task SeesAsync(Func<string, bool> isMet)
    {
        var met = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (isMet(_output.ToString())) { return; }
            _waits.Add((isMet, met));
        }
        try { await Task.WhenAny(met.Task, _end).WaitAsync(Patience); }
        catch (TimeoutException) { throw new TimeoutException(ToString()); }
        isMet(Output).Should().BeTrue("{0}", this);
    }

    /// <summary>Waits for the alert that ends a handshake, and returns its number.</summary>
    public async Task<int> AlertAsync()
    {
        await SeesAsync(static output => AlertNumber().IsMatch(output));
        return Alert!.Value;
    }

    public override string ToString() => Output;

    public async ValueTask DisposeAsync()
    {
        if (!_process.HasExited) { _process.Kill(entireProcessTree: true); }
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    [GeneratedRegex(@"SSL alert number (\d+)")]
    private static partial Regex AlertNumber();

    [GeneratedRegex(@"ACCEPT \S+:(\d+)\s")]
    private static partial Regex Accepting();

    private async Task ReadAsync(StreamReader stream)
    {
        var buffer = new char[4096];
        while (await stream.ReadAsync(buffer) is > 0 and var count)
        {
            lock (_gate)
            {
                var output = _output.Append(buffer.AsSpan(0, count)).ToString();
                foreach (var (isMet, met) in _waits.Where(wait => wait.IsMet(output))) { met.TrySetResult(); }
            }
        }
    }
}
