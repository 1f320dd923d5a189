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

    /// <summary>Disposes of an object with the scope, if it is disposable.</summary>
    public void Own(object instance)
    {
        if (instance is not (IDisposable or IAsyncDisposable)) { return; }
        lock (_gate) { (_owned ??= []).Add(instance); }
    }

    /// <summary>Ends the scope. Objects that use its services are disposed of before them.</summary>
    public async ValueTask DisposeAsync()
    {
        IServiceScope? scope;
        List<object>? owned;
        lock (_gate) { (_isDisposed, scope, owned) = (true, _scope, _owned); }
        try
        {
            foreach (var instance in owned ?? []) { await DisposeAsync(instance).ConfigureAwait(false); }
        }
        finally
        {
            if (scope is not null) { await DisposeAsync(scope).ConfigureAwait(false); }
        }
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
            return !_isDisposed ? _scope ??= factory.CreateScope() : throw new ObjectDisposedException(
                nameof(IncomingRequest.Services), "The request has ended, and its services with it. Create a scope with IServiceScopeFactory for work that continues after the response.");
        }
    }
}
