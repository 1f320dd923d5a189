using System.Diagnostics.CodeAnalysis;
using CoAP.Hosting;

namespace CoAP;

/// <summary>Maps typed handlers to the resources of a group.</summary>
/// <remarks>A source generator of this package replaces each call with code that reads the arguments of the handler from the request and makes
/// a response from its result. It needs to see the handler: pass a lambda expression or a method, not a variable.</remarks>
public static class CoapHandlerGroupExtensions
{
    /// <summary>Maps a typed handler for GET (RFC 7252, section 5.8.1).</summary>
    /// <param name="group">The group. Its prefix comes before the template.</param>
    /// <param name="template">The template of the path, such as "sensors/{id:int}"; see <see cref="ResourceMap"/>.</param>
    /// <param name="handler">A lambda expression or a method. Its parameters are read from the request.</param>
    /// <returns>The resource, for further settings such as observing and authorization.</returns>
    /// <exception cref="ArgumentException">The template is invalid.</exception>
    /// <exception cref="InvalidOperationException">The method has a handler already, or the generator has not seen the call.</exception>
    public static Resource MapCoapGet(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapGet), template, handler);

    /// <summary>Maps a typed handler for POST (RFC 7252, section 5.8.2).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapPost(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapPost), template, handler);

    /// <summary>Maps a typed handler for PUT (RFC 7252, section 5.8.3).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapPut(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapPut), template, handler);

    /// <summary>Maps a typed handler for DELETE (RFC 7252, section 5.8.4).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapDelete(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapDelete), template, handler);

    /// <summary>Maps a typed handler for FETCH (RFC 8132, section 2).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapFetch(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapFetch), template, handler);

    /// <summary>Maps a typed handler for PATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapPatch(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapPatch), template, handler);

    /// <summary>Maps a typed handler for iPATCH (RFC 8132, section 3).</summary>
    /// <inheritdoc cref="MapCoapGet" path="/param|/returns|/exception"/>
    public static Resource MapCoapIPatch(this ResourceGroup group, [StringSyntax("Route")] string template, Delegate handler) =>
        throw Unbound.Call(nameof(MapCoapIPatch), template, handler);
}
