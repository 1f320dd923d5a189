namespace CoAP.Testing;

/// <summary>
/// A network in simulated time. Clients and servers on it have no threads and no sockets: they do their work when the test runs the network, and waits take
/// no real time. The same seed gives the same run.
/// </summary>
/// <remarks>
/// <para>Handlers and other code of the test continue on the thread that runs the network. Such code must not wait for real time. If it leaves the simulation,
/// for example with <see cref="Task.Run(Action)"/>, the clock stands still until it has come back, at most for <see cref="Patience"/>.</para>
/// <para>Awaiting a call outside of <see cref="Run{T}(Func{Task{T}})"/> waits forever, because nothing runs the network. A blocking call runs it.</para>
/// </remarks>
public sealed class SimulatedNetwork
{
    private readonly SimulationScheduler _scheduler;
    private readonly LinkTable _links;
    private readonly HostNames _names;
    private int _clients;

    /// <summary>Creates a network.</summary>
    /// <param name="seed">Selects the random numbers: those of the endpoints, such as tokens and message IDs, and those of the network, such as losses.</param>
    /// <param name="start">The wall-clock time at the beginning. Default: 6 January 2024, 00:00 UTC.</param>
    public SimulatedNetwork(int seed = 1, DateTimeOffset? start = null)
    {
        Seed = seed;
        Clock = new ManualClock(start);
        _scheduler = new SimulationScheduler(Clock, seed);
        _links = new LinkTable(Clock, _scheduler, seed);
        InMemoryNetwork = new InMemoryNetwork(Clock)
        {
            Scheduler = _scheduler,
            Deliver = _links.Deliver,
            ConnectionLatency = _links.LatencyOf,
            ConnectionObserver = new ConnectionRecorder(Clock, _links.Transcript).Observe,
        };
        _names = new HostNames(InMemoryNetwork);
        _scheduler.BeforeRun = _names.Check;
    }

    /// <summary>The seed of the random numbers.</summary>
    public int Seed { get; }

    /// <summary>The clock of all endpoints. <see cref="RunFor"/> also gives the endpoints their turns; <see cref="ManualClock.Advance"/> does not.</summary>
    public ManualClock Clock { get; }

    /// <summary>The network for the settings of endpoints. <see cref="Place(CoapServerSettings, string[])"/> sets it.</summary>
    public InMemoryNetwork InMemoryNetwork { get; }

    /// <summary>The datagrams, and the events and messages of connections, so far.</summary>
    public NetworkTranscript Transcript => _links.Transcript;

    /// <summary>The numbers of datagrams so far.</summary>
    public NetworkCounters Counters => _links.Counters;

    /// <summary>The conditions of all links without conditions of their own. They may change during a run.</summary>
    public LinkConditions Conditions { get => _links.Default; set => _links.Default = value ?? throw new ArgumentNullException(nameof(value)); }

    /// <summary>The time from sender to receiver on all links without conditions of their own. Default: zero.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Latency { get => Conditions.Latency; set => Conditions = Conditions with { Latency = value }; }

    /// <summary>The largest random time that is added to <see cref="Latency"/>. Default: zero.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Jitter { get => Conditions.Jitter; set => Conditions = Conditions with { Jitter = value }; }

    /// <summary>The probability that a datagram is lost, from 0 to 1. Default: 0.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 1.</exception>
    public double Loss { get => Conditions.Loss; set => Conditions = Conditions with { Loss = value }; }

    /// <summary>The probability that a datagram arrives twice, from 0 to 1. Default: 0.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 0 or more than 1.</exception>
    public double Duplication { get => Conditions.Duplication; set => Conditions = Conditions with { Duplication = value }; }

    /// <summary>The real time that code gets on other threads before the clock moves. Default: 50 ms. Increase it if handlers wait for real input or output.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan Patience
    {
        get => _scheduler.Patience;
        set => _scheduler.Patience = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The time must not be negative.");
    }

    /// <summary>The real time after which a run fails that waits for something although nothing is left to do. Default: 5 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan RealTimeLimit
    {
        get => _scheduler.RealTimeLimit;
        set => _scheduler.RealTimeLimit = value >= TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(value), value, "The time must not be negative.");
    }

    /// <summary>Puts a server on this network.</summary>
    /// <param name="settings">The settings of the server.</param>
    /// <param name="names">Its names: the hosts in URIs. Without one, the name is "server".</param>
    public CoapServerSettings Place(CoapServerSettings settings, params string[] names)
    {
        ArgumentNullException.ThrowIfNull(settings);
        ArgumentNullException.ThrowIfNull(names);
        string[] hosts = names.Length == 0 ? ["server"] : names;
        foreach (var host in hosts) { _names.Add(host); }
        return settings with { Network = InMemoryNetwork, TimeProvider = Clock, Endpoints = [.. hosts.Select(ServerEndpoint.InMemory)] };
    }

    /// <summary>Puts a client on this network.</summary>
    /// <param name="settings">The settings of the client.</param>
    /// <param name="name">Its name, for example for <see cref="Partition(string, string)"/>. Default: "client", then "client-2" and so on.</param>
    public CoapClientSettings Place(CoapClientSettings settings, string? name = null)
    {
        ArgumentNullException.ThrowIfNull(settings);
        if (name is null && ++_clients is var count) { name = count == 1 ? "client" : $"client-{count}"; }
        _names.Add(name);
        return settings with { Network = InMemoryNetwork, TimeProvider = Clock, NetworkName = name };
    }

    /// <summary>Runs until a task has completed, and returns its result.</summary>
    /// <param name="task">The task, such as the call of a client.</param>
    /// <exception cref="TimeoutException">Nothing is left to do, and the task has not completed.</exception>
    public T Run<T>(Task<T> task)
    {
        Run((Task)task);
        return task.Result;
    }

    /// <summary>Runs until a call has ended, and returns its result.</summary>
    /// <inheritdoc cref="Run{T}(Task{T})" path="/exception"/>
    public T Run<T>(ValueTask<T> task) => Run(task.AsTask());

    /// <summary>Runs until a task has completed. Throws its exception if it has failed.</summary>
    /// <inheritdoc cref="Run{T}(Task{T})" path="/exception"/>
    public void Run(Task task)
    {
        ArgumentNullException.ThrowIfNull(task);
        // Another thread may complete it, and then nothing else would wake this one.
        _ = task.ContinueWith(
            _ => _scheduler.Queue(static () => { }), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        _scheduler.RunUntil(() => task.IsCompleted);
        task.GetAwaiter().GetResult();
    }

    /// <summary>Runs until a call has ended. Throws its exception if it has failed.</summary>
    /// <inheritdoc cref="Run{T}(Task{T})" path="/exception"/>
    public void Run(ValueTask task) => Run(task.AsTask());

    /// <summary>Runs code that awaits, and everything that it waits for. It continues on the calling thread.</summary>
    /// <param name="code">The code, such as the whole test.</param>
    /// <inheritdoc cref="Run{T}(Task{T})" path="/exception"/>
    public T Run<T>(Func<Task<T>> code)
    {
        ArgumentNullException.ThrowIfNull(code);
        return Run(Start(code));
    }

    /// <inheritdoc cref="Run{T}(Func{Task{T}})"/>
    public void Run(Func<Task> code)
    {
        ArgumentNullException.ThrowIfNull(code);
        Run(Start(code));
    }

    /// <summary>Runs for a simulated time.</summary>
    /// <param name="time">How far the clock moves.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative.</exception>
    public void RunFor(TimeSpan time)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero);
        _names.Check();
        Pass(time);
    }

    /// <summary>Runs until a condition holds.</summary>
    /// <param name="condition">The condition. It is checked after each piece of work.</param>
    /// <exception cref="TimeoutException">Nothing is left to do, or a day of simulated time has passed, and the condition does not hold.</exception>
    public void RunUntil(Func<bool> condition)
    {
        ArgumentNullException.ThrowIfNull(condition);
        _scheduler.RunUntil(condition);
    }

    /// <summary>
    /// Runs until nothing is on its way: no datagram, no request without a response, no acknowledgement that is due, and no handler that has not ended. The clock
    /// moves as far as that takes. Timers of later events, such as the next notification, do not fire.
    /// </summary>
    /// <exception cref="TimeoutException">A day of simulated time has passed, and something is still on its way.</exception>
    public void RunUntilIdle()
    {
        _names.Check();
        _scheduler.RunUntilIdle();
    }

    /// <summary>Sets the conditions from one host to another. The other direction keeps its conditions.</summary>
    /// <param name="from">The sender.</param>
    /// <param name="to">The receiver.</param>
    /// <param name="conditions">The conditions; <see langword="null"/> for those of the network.</param>
    /// <remarks>The next run throws an <see cref="InvalidOperationException"/> if no endpoint has one of the names.</remarks>
    public void SetLink(string from, string to, LinkConditions? conditions)
    {
        _names.Use(nameof(SetLink), from, to);
        _links.Set(from, to, conditions);
    }

    /// <summary>Loses all datagrams between two hosts and holds back the bytes of their connections, in both directions, until <see cref="Heal()"/>.</summary>
    /// <param name="first">A host.</param>
    /// <param name="second">Another host.</param>
    /// <inheritdoc cref="SetLink" path="/remarks"/>
    public void Partition(string first, string second)
    {
        _names.Use(nameof(Partition), first, second);
        _links.Partition(first, second);
    }

    /// <summary>Ends the partition between two hosts.</summary>
    /// <param name="first">A host.</param>
    /// <param name="second">Another host.</param>
    /// <inheritdoc cref="SetLink" path="/remarks"/>
    public void Heal(string first, string second)
    {
        _names.Use(nameof(Heal), first, second);
        _links.Heal(first, second);
    }

    /// <summary>Ends all partitions.</summary>
    public void Heal() => _links.Heal();

    /// <summary>Loses one datagram.</summary>
    /// <param name="from">Its sender.</param>
    /// <param name="to">Its receiver.</param>
    /// <param name="nth">Which of the following datagrams from this sender to this receiver; 1 is the next one.</param>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    /// <inheritdoc cref="SetLink" path="/remarks"/>
    public void Drop(string from, string to, int nth = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(nth, 1);
        _names.Use(nameof(Drop), from, to);
        _links.Drop(from, to, nth);
    }

    /// <summary>Breaks the open connections between two hosts. Both see an error, and the next request opens a new connection.</summary>
    /// <param name="first">A host.</param>
    /// <param name="second">Another host.</param>
    /// <inheritdoc cref="SetLink" path="/remarks"/>
    public void Cut(string first, string second)
    {
        _names.Use(nameof(Cut), first, second);
        InMemoryNetwork.Break(
            (from, to) => (LinkTable.HostOf(from), LinkTable.HostOf(to)) is var ends && (ends == (first, second) || ends == (second, first)));
    }

    /// <summary>This network for scripted peers.</summary>
    internal ScriptStage Stage => new(Clock, TryRunUntil, RunFor, Transcript.ToString);

    /// <summary>Adds the name of an endpoint that was not placed.</summary>
    internal void AddName(string name) => _names.Add(name);

    /// <summary>Runs for a simulated time while endpoints may still be placed.</summary>
    internal void Pass(TimeSpan time) => _scheduler.RunTo(Clock.Elapsed + time);

    private bool TryRunUntil(Func<bool> condition)
    {
        try { _scheduler.RunUntil(condition); }
        catch (TimeoutException) { return false; }
        return true;
    }

    private TTask Start<TTask>(Func<TTask> code)
        where TTask : Task
    {
        var outer = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(_scheduler.Context);
        try
        {
            var task = code();
            if (task.IsCompleted) { return task; }
            _scheduler.OnHandler(isOpen: true);
            _ = task.ContinueWith(
                _ => _scheduler.OnHandler(isOpen: false), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            return task;
        }
        finally { SynchronizationContext.SetSynchronizationContext(outer); }
    }
}
