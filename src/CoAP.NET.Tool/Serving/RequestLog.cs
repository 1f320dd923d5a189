using System.Globalization;
using System.Threading.Channels;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Serving;

/// <summary>One line per request, written by a task of its own, so that a slow terminal does not delay answers. Lines that come too fast are counted.</summary>
internal sealed class RequestLog : IAsyncDisposable
{
    private const int MaxWaiting = 4096;
    private const int LongestText = 256;

    private static readonly object SizeKey = new();
    private static readonly TimeSpan LastLinesTime = TimeSpan.FromMilliseconds(500);

    private readonly Channel<string> _lines;
    private readonly Task _writing;
    private readonly TextWriter _output;
    private readonly TimeProvider _time;
    private readonly bool _isVerbose;
    private long _lost;

    /// <param name="output">Where the lines go.</param>
    /// <param name="time">The clock of the time stamps.</param>
    /// <param name="isVerbose">Whether the options of requests and responses are written.</param>
    public RequestLog(TextWriter output, TimeProvider time, bool isVerbose)
    {
        (_output, _time, _isVerbose) = (output, time, isVerbose);
        var settings = new BoundedChannelOptions(MaxWaiting) { SingleReader = true, FullMode = BoundedChannelFullMode.DropWrite };
        _lines = Channel.CreateBounded<string>(settings, _ => Interlocked.Increment(ref _lost));
        _writing = Task.Run(WriteAsync);
    }

    /// <summary>Remembers the size of a body that is read while it is sent.</summary>
    public static void SetSize(IncomingRequest request, long size) => request.Items[SizeKey] = size;

    /// <summary>Writes a line.</summary>
    public void Write(string line) => _lines.Writer.TryWrite(line);

    /// <summary>Returns a step that logs the requests.</summary>
    public RequestDelegate Around(RequestDelegate next) => async (request, cancellationToken) =>
    {
        var start = _time.GetTimestamp();
        try
        {
            var response = await next(request, cancellationToken).ConfigureAwait(false);
            Write(request, response.Code, start, response);
            return response;
        }
        catch (CoapResponseException error)
        {
            Write(request, error.Code, start, response: null);
            throw;
        }
        catch (Exception exception) when (exception is not (CoapTransferException or OperationCanceledException))
        {
            Write(request, ResponseCode.InternalServerError, start, response: null);
            Write($"    {Short(exception.Message)}");
            throw;
        }
        catch (CoapTransferException)
        {
            Write(request, ResponseCode.RequestEntityIncomplete, start, response: null);
            throw;
        }
    };

    /// <summary>Writes the last lines, but does not wait long for a reader that no longer reads.</summary>
    public async ValueTask DisposeAsync()
    {
        _lines.Writer.TryComplete();
        await Task.WhenAny(_writing, Task.Delay(LastLinesTime, _time)).ConfigureAwait(false);
    }

    private void Write(IncomingRequest request, CoapCode code, long start, CoapResponse? response)
    {
        var size = request.Items.TryGetValue(SizeKey, out var known) ? (long)known! : response?.Payload.Length ?? 0;
        var milliseconds = _time.GetElapsedTime(start).TotalMilliseconds;
        var (now, method, path) = (_time.GetLocalNow(), CodeName.Describe(request.Method), Short(request.Path));
        Write(string.Create(
            CultureInfo.InvariantCulture, $"{now:HH:mm:ss.fff} {PeerOf(request)} {method} {path} {code} {ByteCount.Of(size)} {milliseconds:0.0} ms"));
        if (!_isVerbose) { return; }
        Write($"    request: {Short(OptionText.Of(request.Options, request.Method))}");
        if (response is { Options.IsEmpty: false }) { Write($"    response: {Short(OptionText.Of(response.Options, code))}"); }
    }

    // A request may have 64 KiB of options, and thousands of lines may wait for a slow terminal.
    private static string Short(string text) => Printable.Of(text.Length <= LongestText ? text : $"{text.AsSpan(0, LongestText)}…");

    private static string PeerOf(IncomingRequest request) =>
        request.Credentials?.Identity is { } identity ? $"{request.Peer} ({Short(identity)})" : request.Peer.ToString();

    private async Task WriteAsync()
    {
        await foreach (var line in _lines.Reader.ReadAllAsync().ConfigureAwait(false))
        {
            await _output.WriteLineAsync(line).ConfigureAwait(false);
            if (Interlocked.Exchange(ref _lost, 0) is not (> 0 and var lost)) { continue; }
            await _output.WriteLineAsync($"{lost} lines were dropped because they came too fast.").ConfigureAwait(false);
        }
    }
}
