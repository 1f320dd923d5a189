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
    private const int ReadablePayload = 3;      // a format of the endpoint handles the type

    private int _decision;

    /// <param name="services">The services of the host; <see langword="null"/> if they are not known yet.</param>
    public PayloadOrService(IServiceProvider? services)
    {
        if (services is not null) { _decision = Decide(services); }
    }

    /// <summary>Whether the parameter is known to be the payload.</summary>
    public bool IsPayload => Volatile.Read(ref _decision) is Payload or ReadablePayload;

    /// <summary>Returns whether the parameter is a service.</summary>
    /// <exception cref="NotSupportedException">The type is neither registered as a service nor handled by a payload format.</exception>
    public bool IsService(IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var decision = Volatile.Read(ref _decision);
        // A request that has ended has no services. It must not decide for later ones.
        if (decision == Unknown && request.Services is { } services) { Volatile.Write(ref _decision, decision = Decide(services)); }
        if (decision == Payload)
        {
            if (!request.Channel.Formats.TryFind(typeof(T), out _)) { throw NoSource(request); }
            Volatile.Write(ref _decision, ReadablePayload);
        }
        return decision == Service;
    }

    private static NotSupportedException NoSource(IncomingRequest request) => new(
        $"{HandlerParameters.Describe<T>(request)}, which is neither registered as a service nor handled by a payload format. If it is a service, register it, for example with "
        + $"builder.Services.AddScoped<{HandlerParameters.NameOf(typeof(T))}>(), and mark the parameter with [FromServices]. If it is the payload, add a format that handles the type to "
        + $"CoapServerSettings.Formats, which are {request.Channel.Formats}.");

    private static int Decide(IServiceProvider services) =>
        services.GetService<IServiceProviderIsService>()?.IsService(typeof(T)) == true ? Service : Payload;
}
