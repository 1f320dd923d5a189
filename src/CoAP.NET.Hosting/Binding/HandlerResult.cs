using System.ComponentModel;

namespace CoAP.Hosting.Binding;

/// <summary>Makes responses of the results of typed handlers. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class HandlerResult
{
    /// <summary>Returns the response, or 4.04 (Not Found) if it is <see langword="null"/>.</summary>
    public static CoapResponse Of(CoapResponse? response) => response ?? Response.NotFound;

    /// <summary>Returns a response with a value, or 4.04 (Not Found) if the value is <see langword="null"/>.</summary>
    public static CoapResponse Of<T>(CoapCode code, T? value) => value is null ? Response.NotFound : Response.Of(code, value);

    /// <summary>Returns a response with a value, or 4.04 (Not Found) if there is no value.</summary>
    public static CoapResponse OfNullable<T>(CoapCode code, T? value)
        where T : struct => value is { } present ? Response.Of(code, present) : Response.NotFound;
}
