using System.Diagnostics;
using Microsoft.Extensions.Hosting;

namespace CoAP.Testing;

/// <summary>Gets the host that a program builds: before it is built and after.</summary>
/// <remarks>The events of all programs in the process arrive here. Only those of this flow of execution count, because tests run in parallel.</remarks>
internal sealed class HostInterceptor(Action<IHostBuilder> onBuilding, Action<IHost> onBuilt)
    : IObserver<DiagnosticListener>, IObserver<KeyValuePair<string, object?>>, IDisposable
{
    private static readonly AsyncLocal<HostInterceptor?> Current = new();

    private readonly List<IDisposable> _subscriptions = [];

    /// <summary>Intercepts the hosts of the calling thread.</summary>
    public void Begin()
    {
        Current.Value = this;
        _subscriptions.Add(DiagnosticListener.AllListeners.Subscribe(this));
    }

    public void OnNext(DiagnosticListener value)
    {
        if (Current.Value == this && value.Name == "Microsoft.Extensions.Hosting") { _subscriptions.Add(value.Subscribe(this)); }
    }

    public void OnNext(KeyValuePair<string, object?> value)
    {
        if (Current.Value != this) { return; }
        switch (value)
        {
            case { Key: "HostBuilding", Value: IHostBuilder builder }:
                onBuilding(builder);
                break;
            case { Key: "HostBuilt", Value: IHost host }:
                onBuilt(host);
                break;
        }
    }

    public void OnCompleted() { }

    public void OnError(Exception error) { }

    public void Dispose()
    {
        foreach (var subscription in _subscriptions.ToArray()) { subscription.Dispose(); }
    }
}
