using CoAP.Runtimes;

namespace CoAP.Tests.Runtimes;

/// <summary>The same calls of an endpoint with threads, and of one that a scheduler runs.</summary>
public sealed class EndpointRuntimeTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly ListScheduler _scheduler = new();
    private readonly EndpointRuntime _scheduled;

    public EndpointRuntimeTests() => _scheduled = EndpointRuntime.Of(_scheduler);

    [Fact]
    public void An_endpoint_has_threads_unless_its_network_has_a_scheduler()
    {
        new CoapClientSettings().Runtime.Should().BeSameAs(EndpointRuntime.Threads);
        new CoapClientSettings { Network = new InMemoryNetwork() }.Runtime.Should().BeSameAs(EndpointRuntime.Threads);
        new CoapServerSettings { Network = new InMemoryNetwork { Scheduler = _scheduler } }.Runtime.HasThreads.Should().BeFalse();
        EndpointRuntime.Of(null).HasThreads.Should().BeTrue();
    }

    [Fact]
    public void Threads_complete_a_task_at_once()
    {
        var (first, second) = (new TaskCompletionSource(EndpointRuntime.Threads.Continuations), new TaskCompletionSource());

        EndpointRuntime.Threads.Complete(first.SetResult);
        EndpointRuntime.Threads.Complete(static task => ((TaskCompletionSource)task!).SetResult(), second);

        first.Task.IsCompleted.Should().BeTrue();
        second.Task.IsCompleted.Should().BeTrue();
        first.Task.CreationOptions.Should().Be(TaskCreationOptions.RunContinuationsAsynchronously, "the lane does not run its callers");
    }

    [Fact]
    public void A_scheduler_completes_tasks_in_the_order_of_its_work()
    {
        var (first, second) = (new TaskCompletionSource(_scheduled.Continuations), new TaskCompletionSource(_scheduled.Continuations));

        _scheduled.Complete(first.SetResult);
        _scheduled.Complete(static task => ((TaskCompletionSource)task!).SetResult(), second);

        first.Task.IsCompleted.Should().BeFalse("the scheduler has not run");
        _scheduler.RunNext();
        first.Task.IsCompleted.Should().BeTrue();
        second.Task.IsCompleted.Should().BeFalse();
        _scheduler.RunNext();
        second.Task.IsCompleted.Should().BeTrue();
    }

    [Fact]
    public void As_many_threads_start_as_are_needed_at_the_same_time()
    {
        var all = new Barrier(4);

        EndpointRuntime.Threads.StartThreads(3, "test", () => all.SignalAndWait(Patience));

        all.SignalAndWait(Patience).Should().BeTrue("three threads wait for each other and for this one");
    }

    [Fact]
    public void Work_of_all_kinds_waits_for_the_scheduler()
    {
        var (ran, canceled) = (0, new CancellationTokenSource());

        _scheduled.Queue(() => ran++);
        _scheduled.Queue(new Work(() => ran++));
        _scheduled.StartThreads(2, "test", () => ran++);
        _scheduled.RunOffLane(() => ran++);
        _scheduled.RunOffLane(static () => throw new InvalidOperationException("of the user"));
        _scheduled.CancelOffLane(canceled);

        ran.Should().Be(0);
        _scheduler.RunAll().Should().Be(7);
        ran.Should().Be(5);
        canceled.IsCancellationRequested.Should().BeTrue();
    }

    [Fact]
    public void A_caller_that_blocks_runs_the_endpoint_only_if_no_threads_do()
    {
        var isDone = false;
        Func<object?, bool> condition = _ => isDone;

        EndpointRuntime.Threads.HelpUntil(condition, null);
        isDone.Should().BeFalse("the caller now waits for a thread");

        _scheduled.Queue(() => isDone = true);
        _scheduled.HelpUntil(condition, null);
        isDone.Should().BeTrue();
    }

    [Theory]
    [InlineData(true), InlineData(false)]
    public void A_caller_that_awaits_runs_the_endpoint_if_nothing_else_does(bool isRunning)
    {
        var task = new TaskCompletionSource();
        _scheduler.SetRunning(isRunning);
        _scheduled.Queue(task.SetResult);

        _scheduled.HelpBeforeAwait(task.Task);

        task.Task.IsCompleted.Should().Be(!isRunning);
    }

    [Fact]
    public async Task User_code_runs_in_the_context_of_the_scheduler_and_its_result_returns_as_work()
    {
        var (source, outer) = (new TaskCompletionSource<int>(), SynchronizationContext.Current);
        SynchronizationContext? context = null;

        var call = _scheduled.Call(
            one =>
            {
                context = SynchronizationContext.Current;
                return new ValueTask<int>(one.Task);
            },
            source).AsTask();
        SynchronizationContext.Current.Should().BeSameAs(outer);
        _scheduler.Handlers.Should().Be(1);
        source.SetResult(7);

        call.IsCompleted.Should().BeFalse("the scheduler has not run");
        _scheduler.RunAll();
        (await call).Should().Be(7);
        context.Should().BeSameAs(_scheduler.Context);
        _scheduler.Handlers.Should().Be(0);
    }

    [Fact]
    public async Task User_code_on_threads_keeps_its_context()
    {
        var outer = SynchronizationContext.Current;

        var (state, context) = await EndpointRuntime.Threads.Call(
            static one => new ValueTask<(int, SynchronizationContext?)>((one, SynchronizationContext.Current)), 7);

        state.Should().Be(7);
        context.Should().BeSameAs(outer);
    }

    [Fact]
    public void Only_waits_of_user_code_are_reported()
    {
        _scheduled.BeginWait().Should().BeFalse();
        EndpointRuntime.Threads.BeginWait().Should().BeFalse();
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_scheduler.Context);
        try { _scheduled.BeginWait().Should().BeTrue(); }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
        _scheduler.Waits.Should().Be(1);

        _scheduled.EndWait();

        _scheduler.Waits.Should().Be(0);
    }

    [Fact]
    public void Random_numbers_come_from_the_scheduler()
    {
        _scheduled.RandomNumber().Should().Be(0x0101_0101_0101_0101UL);
        _scheduled.NextDouble().Should().BeInRange(0, 0.01);
        _scheduled.NewRandom().Next().Should().Be(EndpointRuntime.Of(_scheduler).NewRandom().Next());
        EndpointRuntime.Threads.RandomNumber().Should().NotBe(EndpointRuntime.Threads.RandomNumber());
        EndpointRuntime.Threads.NextDouble().Should().BeInRange(0, 1);
    }

    [Fact]
    public void A_part_with_threads_of_its_own_gets_the_scheduler_if_there_is_one()
    {
        List<NetworkScheduler> shared = [];

        EndpointRuntime.Threads.ShareScheduler(shared.Add);
        _scheduled.ShareScheduler(shared.Add);

        shared.Should().Equal(_scheduler);
    }

    private sealed class Work(Action run) : IThreadPoolWorkItem
    {
        public void Execute() => run();
    }

    /// <summary>Runs work when the test says. Its random bytes are all 1.</summary>
    private sealed class ListScheduler : NetworkScheduler
    {
        private readonly Queue<Action> _queue = new();
        private bool _isRunning;

        public override SynchronizationContext Context { get; } = new();

        public override bool IsRunning => _isRunning;

        public int Handlers { get; private set; }

        public int Waits { get; private set; }

        public void SetRunning(bool isRunning) => _isRunning = isRunning;

        public void RunNext() => _queue.Dequeue()();

        public int RunAll()
        {
            var count = 0;
            for (; _queue.Count > 0; count++) { RunNext(); }
            return count;
        }

        public override void Queue(Action work) => _queue.Enqueue(work);

        public override void RunUntil(Func<bool> isDone, CancellationToken cancellationToken = default)
        {
            while (!isDone()) { RunNext(); }
        }

        public override void Fill(Span<byte> bytes) => bytes.Fill(1);

        public override void OnHandler(bool isOpen) => Handlers += isOpen ? 1 : -1;

        public override void OnWait(bool isOpen) => Waits += isOpen ? 1 : -1;
    }
}
