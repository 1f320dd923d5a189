using System.Diagnostics.CodeAnalysis;
using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>Has the caller do something, and goes on when it is done.</summary>
internal interface ICallerTaskOwner
{
    /// <summary>The caller has done the task. Called on the lane.</summary>
    void OnDone(CallerTask task);

    /// <summary>The lane has ended.</summary>
    void Abandon();
}

/// <summary>Something that the caller does for its call, off the lane; the lane is told when it is done.</summary>
internal abstract class CallerTask(ICallerTaskOwner owner) : LaneWork
{
    /// <summary>What the user's stream has thrown.</summary>
    public Exception? Error { get; set; }

    /// <summary>Does it, blocking the calling thread.</summary>
    public abstract void Do();

    /// <summary>Does it without holding a thread.</summary>
    public abstract ValueTask DoAsync(CancellationToken cancellationToken);

    public override void Run() => owner.OnDone(this);

    public override void Abandon() => owner.Abandon();
}

/// <summary>
/// What the lane has the caller do: read the body, write the response's body, report progress. The parked thread of a sync call does it with
/// blocking calls, an async call with awaits; one thing after another.
/// </summary>
[SuppressMessage("Design", "CA1001", Justification = "Without a timer the source holds nothing, and those who listen to it may still be told when the call is over.")]
internal sealed class CallerWork(ClientCall call, IProgress<TransferProgress>? progress)
{
    private readonly object _gate = new();
    private readonly Queue<CallerTask> _tasks = new();
    private readonly CancellationTokenSource _over = new();
    private TaskCompletionSource? _wakeUp;
    private TransferProgress? _report;
    private bool _isOver;

    /// <summary>Has the caller do something. From the lane.</summary>
    public void Ask(CallerTask task)
    {
        lock (_gate)
        {
            _tasks.Enqueue(task);
            Wake();
        }
    }

    /// <summary>Has the caller report; what was not reported yet is out of date. From the lane.</summary>
    public void Report(in TransferProgress report)
    {
        if (progress is null) { return; }
        lock (_gate)
        {
            _report = report;
            Wake();
        }
    }

    /// <summary>The call has its outcome. Any thread.</summary>
    public void End(bool isSuccess)
    {
        lock (_gate)
        {
            _isOver = true;
            _tasks.Clear();
            if (!isSuccess) { _report = null; }
            Wake();
        }
        // What listens to the token is the user's code, which does not run on a lane.
        _ = _over.CancelAsync();
    }

    /// <summary>Works until the call has its outcome, blocking the calling thread.</summary>
    public void Serve()
    {
        while (TryWait(out var task, out var report))
        {
            if (report is { } due) { Say(due); }
            else if (task is not null) { Finish(task, Try(task)); }
        }
    }

    /// <summary>Works until the call has its outcome.</summary>
    public async ValueTask ServeAsync()
    {
        while (true)
        {
            Task wait;
            lock (_gate)
            {
                if (IsIdle && _isOver) { return; }
                wait = IsIdle ? (_wakeUp = new(TaskCreationOptions.RunContinuationsAsynchronously)).Task : Task.CompletedTask;
            }
            await wait.ConfigureAwait(false);
            Take(out var task, out var report);
            if (report is { } due) { Say(due); }
            else if (task is not null) { Finish(task, await TryAsync(task).ConfigureAwait(false)); }
        }
    }

    private bool IsIdle => _report is null && _tasks.Count == 0;

    private bool TryWait(out CallerTask? task, out TransferProgress? report)
    {
        lock (_gate)
        {
            while (IsIdle && !_isOver) { Monitor.Wait(_gate); }
            var isOver = IsIdle;
            Take(out task, out report);
            return !isOver;
        }
    }

    private void Take(out CallerTask? task, out TransferProgress? report)
    {
        lock (_gate)
        {
            (task, report, _report) = (null, _report, null);
            if (report is null) { _tasks.TryDequeue(out task); }
        }
    }

    private void Wake()
    {
        Monitor.Pulse(_gate);
        _wakeUp?.TrySetResult();
        _wakeUp = null;
    }

    private void Finish(CallerTask task, Exception? error)
    {
        task.Error = error;
        call.Lane.Post(task);
    }

    private void Say(in TransferProgress report)
    {
        try { progress!.Report(report); }
        catch (Exception exception) // The user's code: its failure is the call's.
        {
            call.FailByCaller(exception);
        }
    }

    private static Exception? Try(CallerTask task)
    {
        try
        {
            task.Do();
            return null;
        }
        catch (Exception exception) // The user's stream: its failure is the call's.
        {
            return exception;
        }
    }

    private async ValueTask<Exception?> TryAsync(CallerTask task)
    {
        try
        {
            await task.DoAsync(_over.Token).ConfigureAwait(false);
            return null;
        }
        catch (Exception exception) // As above.
        {
            return exception;
        }
    }
}
