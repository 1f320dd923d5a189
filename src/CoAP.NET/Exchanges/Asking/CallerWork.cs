using System.Diagnostics.CodeAnalysis;
using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>A task that the caller does for its call outside the lane. It returns to the lane when it is done.</summary>
internal abstract class CallerTask(IBodyTransfer owner) : LaneWork
{
    /// <summary>The exception that the user's stream threw; <see langword="null"/> if it threw none.</summary>
    public Exception? Error { get; set; }

    /// <summary>Does the task. Blocks the calling thread.</summary>
    public abstract void Do();

    /// <summary>Does the task without holding a thread.</summary>
    public abstract ValueTask DoAsync(CancellationToken cancellationToken);

    public override void Run() => owner.OnDone(this);

    public override void Abandon() => owner.Abandon();
}

/// <summary>
/// The tasks that the lane gives to the caller: read the request body, write the response body, report progress. A sync call does them with
/// blocking calls on its waiting thread, an async call with awaits. They run one after another.
/// </summary>
[SuppressMessage("Design", "CA1001",
    Justification = "A source without a timer holds no resources, and its listeners can still be called after the call has ended.")]
internal sealed class CallerWork(ClientCall call, IProgress<TransferProgress>? progress)
{
    private readonly Lock _gate = new();
    private readonly ReaderSignal _changes = new(call.Lane.Runtime);
    private readonly Queue<CallerTask> _tasks = new();
    private readonly CancellationTokenSource _over = new();
    private TransferProgress? _report;
    private bool _isOver;

    /// <summary>Gives the caller a task. Called on the lane.</summary>
    public void Ask(CallerTask task)
    {
        lock (_gate)
        {
            _tasks.Enqueue(task);
            _changes.Set();
        }
    }

    /// <summary>Gives the caller a progress report, which replaces a pending one. Called on the lane.</summary>
    public void Report(in TransferProgress report)
    {
        if (progress is null) { return; }
        lock (_gate)
        {
            _report = report;
            _changes.Set();
        }
    }

    /// <summary>Ends the work when the call has its outcome. May be called from any thread.</summary>
    public void End(bool isSuccess)
    {
        lock (_gate)
        {
            _isOver = true;
            _tasks.Clear();
            if (!isSuccess) { _report = null; }
            _changes.Set();
        }
        // Listeners of the token are user code, which must not run on a lane.
        _ = _over.CancelAsync();
    }

    /// <summary>Does the tasks until the call has its outcome. Blocks the calling thread.</summary>
    public void Serve()
    {
        while (TryTake(out var task))
        {
            if (task is null)
            {
                _changes.Wait(CancellationToken.None);
                continue;
            }
            try { task.Do(); }
            catch (Exception exception) // The user's stream: its failure fails the call.
            {
                task.Error = exception;
            }
            call.Lane.Post(task);
        }
    }

    /// <summary>Does the tasks until the call has its outcome, without holding a thread.</summary>
    public async ValueTask ServeAsync()
    {
        while (TryTake(out var task))
        {
            if (task is null)
            {
                await _changes.WaitAsync(CancellationToken.None).ConfigureAwait(false);
                continue;
            }
            try { await task.DoAsync(_over.Token).ConfigureAwait(false); }
            catch (Exception exception) // As above.
            {
                task.Error = exception;
            }
            call.Lane.Post(task);
        }
    }

    // Reports progress, then takes the next task; null if there is none yet. Returns false if the call has its outcome.
    private bool TryTake(out CallerTask? task)
    {
        while (true)
        {
            TransferProgress report;
            lock (_gate)
            {
                if (_report is null) { return _tasks.TryDequeue(out task) || !_isOver; }
                (report, _report) = (_report.Value, null);
            }
            try { progress!.Report(report); }
            catch (Exception exception) // User code: its failure fails the call.
            {
                call.FailByCaller(exception);
            }
        }
    }
}
