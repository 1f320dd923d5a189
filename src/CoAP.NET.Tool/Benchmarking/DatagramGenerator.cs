using System.Net;
using System.Net.Sockets;
using CoAP.Tool.LoadEngine;

namespace CoAP.Tool.Benchmarking;

/// <summary>Load over UDP without security, on one thread: the loop of the load engine, with retransmissions.</summary>
internal sealed class DatagramGenerator : IGenerator
{
    private readonly BenchSettings _settings;
    private readonly UdpLoop _loop;
    private readonly TaskCompletionSource<BenchResult> _end = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _mustMeasure, _mustStop, _isMeasuring;
    private Thread? _thread;

    /// <param name="settings">The load.</param>
    /// <param name="server">The address of the server.</param>
    /// <exception cref="SocketException">A socket cannot be opened.</exception>
    public DatagramGenerator(BenchSettings settings, IPEndPoint server)
    {
        _settings = settings;
        var load = new LoopSettings
        {
            Server = server,
            Sockets = settings.Clients,
            Slots = settings.Slots,
            Rate = settings.Rate,
            Patience = settings.ResponseTimeout,
            IsConfirmable = settings.IsConfirmable,
            AckTimeout = settings.IsConfirmable ? settings.AckTimeout : null,
        };
        _loop = new UdpLoop(load, new RequestShape(ToMessage(settings, server)));
        try
        {
            _loop.Open();
        }
        catch
        {
            _loop.Dispose();
            throw;
        }
    }

    public string Name => "raw datagrams";

    public long Answers => _isMeasuring ? _loop.Tallies.Measured.Good : 0;

    public void Start()
    {
        _thread = new Thread(Run) { IsBackground = true, Name = "load" };
        _thread.Start();
    }

    public void Measure()
    {
        _mustMeasure = true;
        _loop.IsStopped = true;
    }

    public Task<BenchResult> StopAsync()
    {
        _mustStop = true;
        _loop.IsStopped = true;
        return _end.Task;
    }

    public ValueTask DisposeAsync()
    {
        _ = StopAsync();
        _thread?.Join();
        _loop.Dispose();
        return ValueTask.CompletedTask;
    }

    private static CoapMessage ToMessage(BenchSettings settings, IPEndPoint server)
    {
        var options = CoapUri.Parse(settings.Uri).ToOptions(server.Address, server.Port);
        return new CoapMessage
        {
            Type = settings.IsConfirmable ? MessageType.Confirmable : MessageType.NonConfirmable,
            Code = settings.Method,
            Token = RequestShape.AnyToken,
            Options = settings.ContentFormat is { } format ? options.With(new Options.ContentFormat(format)) : options,
            Payload = settings.Payload,
        };
    }

    private void Run()
    {
        try
        {
            _loop.Start();
            while (!_mustMeasure && !_mustStop) { RunUntilStopped(); }
            _loop.Measure();
            var time = new MeasuredTime();
            _isMeasuring = true;
            while (!_mustStop) { RunUntilStopped(); }
            var (elapsed, processor) = time.End();
            _loop.IsStopped = false;
            _end.TrySetResult(new BenchResult(_loop.Finish(_settings.Rate is null ? TimeSpan.Zero : _settings.ResponseTimeout), elapsed, processor));
        }
        catch (Exception exception)
        {
            _end.TrySetException(exception);      // thrown where the result is awaited
        }
    }

    // Another thread sets its flag first and then stops the loop, so no flag is missed.
    private void RunUntilStopped()
    {
        _loop.RunUntil(long.MaxValue);
        _loop.IsStopped = false;
    }
}
