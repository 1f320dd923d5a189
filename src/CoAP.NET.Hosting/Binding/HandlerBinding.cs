using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using CoAP.Options;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Binding;

/// <summary>The parts of typed handlers that need no generated code. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class HandlerBinding
{
    /// <summary>Returns the resource of a host at a template.</summary>
    /// <exception cref="InvalidOperationException">The services contain no server.</exception>
    public static Resource At(IHost host, string template)
    {
        ArgumentNullException.ThrowIfNull(host);
        return host.Services.GetCoapServer().Resources.At(template);
    }

    /// <summary>Returns the resource of a map at a template.</summary>
    public static Resource At(ResourceMap map, string template)
    {
        ArgumentNullException.ThrowIfNull(map);
        return map.At(template);
    }

    /// <summary>Returns the resource of a group at a template.</summary>
    public static Resource At(ResourceGroup group, string template)
    {
        ArgumentNullException.ThrowIfNull(group);
        return group.At(template);
    }

    /// <summary>Casts a delegate whose type has no name to the type of a lambda expression with the same parameters.</summary>
    public static T Cast<T>(Delegate handler, T shape)
        where T : Delegate => (T)handler;

    /// <summary>Returns the services of a request.</summary>
    /// <exception cref="InvalidOperationException">The request has none.</exception>
    public static IServiceProvider ServicesOf(IncomingRequest request) => CoapRequestServices.Require(request);

    /// <summary>Returns a service of a request.</summary>
    /// <exception cref="InvalidOperationException">The service is not registered.</exception>
    public static T Service<T>(IncomingRequest request)
        where T : notnull => ServicesOf(request).GetService(typeof(T)) is T service ? service : throw new InvalidOperationException(
            $"{HandlerParameters.Describe<T>(request)}, and is not registered as a service. Register it, for example with builder.Services.AddScoped<{HandlerParameters.NameOf(typeof(T))}>(), "
            + "or mark the parameter with [FromPayload], [FromQuery] or [FromRoute] if it is none.");

    /// <summary>Returns a service of a request; <see langword="null"/> if it is not registered.</summary>
    public static T? OptionalService<T>(IncomingRequest request)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.Services?.GetService<T>();
    }

    /// <summary>Returns a keyed service of a request.</summary>
    /// <exception cref="InvalidOperationException">The service is not registered with this key.</exception>
    // A provider around another one need not know keys, but it returns the one that does.
    public static T KeyedService<T>(IncomingRequest request, object key)
        where T : notnull => ServicesOf(request).GetService<IServiceProvider>() is IKeyedServiceProvider services && services.GetKeyedService(typeof(T), key) is T service
        ? service
        : throw new InvalidOperationException(
            $"{HandlerParameters.Describe<T>(request)}, and is not registered as a service with the key '{key}'. "
            + $"Register it, for example with builder.Services.AddKeyedScoped<{HandlerParameters.NameOf(typeof(T))}>(key), or correct the key in [FromServices].");

    /// <summary>Reads an option that must be present.</summary>
    public static bool TryReadOption<T>(
        IncomingRequest request, [NotNullWhen(true)] out T? option, [NotNullWhen(false)] out CoapResponse? failure)
        where T : CoapOption, IDeclaredOption
    {
        ArgumentNullException.ThrowIfNull(request);
        option = request.Options.Get<T>();
        failure = option is not null
            ? null
            : Response.Problem(ResponseCode.BadRequest, "Missing option", $"Option {T.Declaration.Number} ({typeof(T).Name}) is missing or has an invalid value.");
        return option is not null;
    }

    /// <summary>Returns whether the request has neither a payload nor a Content-Format.</summary>
    // A streamed body is never empty, although the payload is. Its stream cannot seek.
    public static bool HasNoPayload(IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.Payload.IsEmpty && request.ContentFormat is null && request.Body.CanSeek;
    }

    /// <summary>Throws if more than one parameter is the payload.</summary>
    /// <exception cref="InvalidOperationException">More than one is.</exception>
    public static void ThrowIfSeveralPayloads(Resource resource, params ReadOnlySpan<bool> isPayload)
    {
        ArgumentNullException.ThrowIfNull(resource);
        if (isPayload.Count(true) < 2) { return; }
        throw new InvalidOperationException(
            $"The handler of '{resource.Template}' has {isPayload.Count(true)} parameters for the payload, because their types are not registered as services. "
            + "Register the services, or mark them with [FromServices].");
    }
}
