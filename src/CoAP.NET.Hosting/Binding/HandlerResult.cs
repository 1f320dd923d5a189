using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Hosting.Binding;

/// <summary>Makes responses of the results of typed handlers. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class HandlerResult
{
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    /// <summary>Returns the response; if it is <see langword="null"/>, 2.02 (Deleted) for DELETE and 4.04 (Not Found) for other methods.</summary>
    /// <param name="code">The code of a value: 2.02 for DELETE.</param>
    /// <param name="response">The response.</param>
    public static CoapResponse Of(CoapCode code, CoapResponse? response) => response ?? Absent(code);

    /// <summary>Returns a response with a value; without one, 2.02 (Deleted) for DELETE and 4.04 (Not Found) for other methods.</summary>
    public static CoapResponse Of<T>(CoapCode code, T? value) => value is null ? Absent(code) : Response.Of(code, value);

    /// <summary>Returns a response with a value; without one, 2.02 (Deleted) for DELETE and 4.04 (Not Found) for other methods.</summary>
    public static CoapResponse OfNullable<T>(CoapCode code, T? value)
        where T : struct => value is { } present ? Response.Of(code, present) : Absent(code);

    /// <summary>Returns whether the client accepts a format of the result. A handler that changes something is not called otherwise.</summary>
    /// <param name="request">The request.</param>
    /// <param name="failure">The 4.06 (Not Acceptable) response.</param>
    /// <exception cref="NotSupportedException">No format handles the result.</exception>
    public static bool IsAcceptable<T>(IncomingRequest request, [NotNullWhen(false)] out CoapResponse? failure)
    {
        failure = request.Accepts<T>() ? null : NotAcceptable;
        return failure is null;
    }

    // A resource that did not exist before a DELETE is deleted, too (RFC 7252, section 5.8.4).
    private static CoapResponse Absent(CoapCode code) => code == ResponseCode.Deleted ? Response.Deleted : Response.NotFound;
}
