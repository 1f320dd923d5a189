using System.Runtime.ExceptionServices;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting;

/// <summary>The services of one request. Creates the scope when the first service is asked for.</summary>
/// <remarks>Safe for concurrent use until it is disposed of.</remarks>
internal sealed class RequestScope(IServiceScopeFactory factory) : IServiceProvider, IAsyncDisposable
{
    private readonly Lock _gate = new();
    private IServiceScope? _scope;
    private List<object>? _owned;
    private bool _isDisposed;

    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public object? GetService(Type serviceType) => Scope().ServiceProvider.GetService(serviceType);

    /// <summary>Disposes of an object with the scope, if it is disposable. Does so at once if the scope has ended.</summary>
    /// <exception cref="ObjectDisposedException">The request has ended.</exception>
    public void Own(object instance)
    {
        if (instance is not (IDisposable or IAsyncDisposable)) { return; }
        lock (_gate)
        {
            if (!_isDisposed)
            {
                (_owned ??= []).Add(instance);
                return;
            }
        }
        if (instance is IDisposable disposable) { disposable.Dispose(); }
        else { _ = DisposeAsync(instance).AsTask(); }
        throw Ended();
    }

    /// <summary>Ends the scope. Objects that use its services are disposed of before them. Further calls do nothing.</summary>
    public async ValueTask DisposeAsync()
    {
        IServiceScope? scope;
        List<object>? owned;
        lock (_gate)
        {
            (scope, owned) = (_scope, _owned);
            (_isDisposed, _scope, _owned) = (true, null, null);
        }
        ExceptionDispatchInfo? failure = null;
        foreach (var instance in Enumerable.Reverse(owned ?? []))
        {
            try { await DisposeAsync(instance).ConfigureAwait(false); }
            catch (Exception exception) // The edge to user code: the other objects and the services must be disposed of as well.
            {
                failure ??= ExceptionDispatchInfo.Capture(exception);
            }
        }
        if (scope is not null) { await DisposeAsync(scope).ConfigureAwait(false); }
        failure?.Throw();
    }

    private static ValueTask DisposeAsync(object instance)
    {
        if (instance is IAsyncDisposable disposable) { return disposable.DisposeAsync(); }
        ((IDisposable)instance).Dispose();
        return default;
    }

    private IServiceScope Scope()
    {
        lock (_gate)
        {
            return !_isDisposed ? _scope ??= factory.CreateScope() : throw Ended();
        }
    }

    private static ObjectDisposedException Ended() => new(
        nameof(IncomingRequest.Services),
        "The request has ended, and its services with it. Create a scope with IServiceScopeFactory for work that continues after the response.");
}
