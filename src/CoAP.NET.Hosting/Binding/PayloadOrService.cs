using System.ComponentModel;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting.Binding;

/// <summary>
/// A parameter of a typed handler that is a service if its type is registered, and otherwise the payload. For generated code.
/// </summary>
/// <remarks>Decided once: when the handler is mapped to a host, or at the first request to a map or group. Safe for concurrent use.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class PayloadOrService<T>
    where T : notnull
{
    private const int Unknown = 0;
    private const int Payload = 1;
    private const int Service = 2;

    private int _decision;

    /// <param name="services">The services of the host; <see langword="null"/> if they are not known yet.</param>
    public PayloadOrService(IServiceProvider? services)
    {
        if (services is not null) { _decision = Decide(services); }
    }

    /// <summary>Whether the parameter is known to be the payload.</summary>
    public bool IsPayload => Volatile.Read(ref _decision) == Payload;

    /// <summary>Returns whether the parameter is a service.</summary>
    public bool IsService(IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var decision = Volatile.Read(ref _decision);
        if (decision != Unknown) { return decision == Service; }
        // A request that has ended has no services. It must not decide for later ones.
        if (request.Services is not { } services) { return false; }
        Volatile.Write(ref _decision, decision = Decide(services));
        return decision == Service;
    }

    private static int Decide(IServiceProvider services) =>
        services.GetService<IServiceProviderIsService>()?.IsService(typeof(T)) == true ? Service : Payload;
}
