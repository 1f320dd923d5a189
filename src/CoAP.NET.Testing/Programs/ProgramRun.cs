using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.ExceptionServices;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Testing;

/// <summary>One run of a program's entry point on a thread of its own.</summary>
[RequiresUnreferencedCode("The entry point of the program is found by reflection.")]
internal sealed class ProgramRun
{
    private static readonly TimeSpan RealTimeLimit = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan StandStill = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(5);

    private readonly MethodInfo _main;
    private readonly string[] _arguments;
    private readonly Action<IHostBuilder> _change;
    private readonly Thread _thread;
    private volatile IHost? _host;
    private volatile IHostApplicationLifetime? _lifetime;
    private volatile Exception? _error;
    private volatile bool _hasEnded;

    public ProgramRun(Assembly program, string[] arguments, Action<IHostBuilder> change)
    {
        _main = program.EntryPoint ?? throw new InvalidOperationException(
            $"{program.GetName().Name} has no entry point. Use a type of the program, such as CoapApplicationFactory<Program>.");
        (_arguments, _change) = (arguments, change);
        _thread = new Thread(Run) { IsBackground = true, Name = $"{program.GetName().Name} under test" };
    }

    public IHost Host => _host!;

    private bool HasStarted => _lifetime?.ApplicationStarted.IsCancellationRequested == true;

    /// <summary>Starts the program and waits until its host has started.</summary>
    public void Start(SimulatedNetwork network)
    {
        _thread.UnsafeStart();
        var started = TimeProvider.System.GetTimestamp();
        while (!_hasEnded && !HasStarted)
        {
            var elapsed = TimeProvider.System.GetElapsedTime(started);
            if (elapsed > RealTimeLimit) { throw new TimeoutException($"The host of {_main.DeclaringType?.Assembly.GetName().Name} has not started within {RealTimeLimit.TotalSeconds} s."); }
            // A service that calls a peer while it starts may need simulated time. The clock stands still for one that only takes real time.
            network.Pass(elapsed > StandStill ? Pause : TimeSpan.Zero);
            _thread.Join(Pause);
        }
        ThrowIfFailed();
    }

    /// <summary>Throws the exception that ended the program.</summary>
    public void ThrowIfFailed()
    {
        if (_error is { } error) { ExceptionDispatchInfo.Throw(error); }
        if (_host is null) { throw new InvalidOperationException($"The program {_main.DeclaringType?.Assembly.GetName().Name} has ended without building a host."); }
    }

    /// <summary>Stops the host and waits until the program has ended.</summary>
    public void Stop()
    {
        _lifetime?.StopApplication();
        if (!_thread.Join(RealTimeLimit)) { throw new TimeoutException($"The program has not ended within {RealTimeLimit.TotalSeconds} s after its host was stopped."); }
    }

    // The first host is that of the program.
    private void OnBuilt(IHost host)
    {
        _host ??= host;
        _lifetime ??= host.Services.GetRequiredService<IHostApplicationLifetime>();
    }

    private void Run()
    {
        using var interceptor = new HostInterceptor(_change, OnBuilt);
        interceptor.Begin();
        try
        {
            // A Main that is async has an entry point that waits for it.
            _main.Invoke(null, _main.GetParameters().Length == 0 ? [] : [_arguments]);
        }
        catch (TargetInvocationException exception) // The program's own failure is thrown in the test.
        {
            _error = exception.InnerException ?? exception;
        }
        finally { _hasEnded = true; }
    }
}
