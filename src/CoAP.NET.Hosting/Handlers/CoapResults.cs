using CoAP.Options;

namespace CoAP.Hosting;

/// <summary>Creates the responses of typed handlers. <see cref="Response"/> has further ones.</summary>
/// <remarks>A handler that can return only one kind of result may return the value itself, or <see langword="null"/> for 4.04 (Not Found), and for
/// 2.02 (Deleted) if the method is DELETE.</remarks>
public static class CoapResults
{
    /// <summary>Creates a 2.02 (Deleted) response.</summary>
    public static CoapResponse Deleted() => Response.Deleted;

    /// <summary>Creates a 2.05 (Content) response with a value, in the format that the client accepts.</summary>
    /// <param name="value">The value.</param>
    /// <param name="options">Further options, such as an ETag or a Max-Age.</param>
    public static CoapResponse Content<T>(T value, params ReadOnlySpan<CoapOption> options) => Response.Content(value, options);

    /// <summary>Creates a 2.01 (Created) response with the location of the new resource (RFC 7252, section 5.10.7).</summary>
    /// <param name="location">The path and the query, such as "/sensors/17".</param>
    /// <param name="eTag">Identifies the representation at the location. Default: none.</param>
    /// <exception cref="ArgumentException">The location does not begin with "/", or no option can carry it.</exception>
    public static CoapResponse Created(string location, ETag? eTag = null) => Response.CreatedAt(location, eTag);

    /// <summary>Creates a 2.01 (Created) response with the location of the new resource and a value, in the format that the client accepts.</summary>
    /// <param name="location">The path and the query, such as "/sensors/17".</param>
    /// <param name="value">The value.</param>
    /// <param name="eTag">Identifies the representation at the location. Default: none.</param>
    /// <exception cref="ArgumentException">The location does not begin with "/", or no option can carry it.</exception>
    public static CoapResponse Created<T>(string location, T value, ETag? eTag = null) =>
        Response.Of(ResponseCode.Created, value, [.. Response.CreatedAt(location, eTag).Options]);

    /// <summary>Creates a 2.04 (Changed) response.</summary>
    public static CoapResponse Changed() => Response.Changed;

    /// <summary>Creates a 2.04 (Changed) response with the ETag of the new representation.</summary>
    public static CoapResponse Changed(ETag eTag) => Response.ChangedTo(eTag);

    /// <summary>Creates a 2.04 (Changed) response with a value, in the format that the client accepts.</summary>
    public static CoapResponse Changed<T>(T value) => Response.Of(ResponseCode.Changed, value);

    /// <summary>Creates a 4.00 (Bad Request) response with problem details (RFC 9290).</summary>
    /// <inheritdoc cref="Problem" path="/param"/>
    public static CoapResponse BadRequest(string title, string? detail = null) => Problem(ResponseCode.BadRequest, title, detail);

    /// <summary>Creates a 4.03 (Forbidden) response, with problem details if there is a title.</summary>
    /// <inheritdoc cref="Problem" path="/param"/>
    public static CoapResponse Forbidden(string? title = null, string? detail = null) => Problem(ResponseCode.Forbidden, title, detail);

    /// <summary>Creates a 4.04 (Not Found) response, with problem details if there is a title.</summary>
    /// <inheritdoc cref="Problem" path="/param"/>
    public static CoapResponse NotFound(string? title = null, string? detail = null) => Problem(ResponseCode.NotFound, title, detail);

    /// <summary>Creates a 4.09 (Conflict) response (RFC 8132, section 3.4), with problem details if there is a title.</summary>
    /// <inheritdoc cref="Problem" path="/param"/>
    public static CoapResponse Conflict(string? title = null, string? detail = null) => Problem(ResponseCode.Conflict, title, detail);

    /// <summary>Creates a 4.12 (Precondition Failed) response, with problem details if there is a title.</summary>
    /// <inheritdoc cref="Problem" path="/param"/>
    public static CoapResponse PreconditionFailed(string? title = null, string? detail = null) => Problem(ResponseCode.PreconditionFailed, title, detail);

    /// <summary>Creates a 5.03 (Service Unavailable) response.</summary>
    /// <param name="retryAfter">The time after which the client may try again, sent as Max-Age in whole seconds, rounded up.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static CoapResponse Unavailable(TimeSpan retryAfter) => Response.Unavailable(retryAfter);

    /// <summary>Creates an error response, with problem details (RFC 9290) if there is a title.</summary>
    /// <param name="code">A code of class 4 or 5.</param>
    /// <param name="title">The kind of problem. Use the same title for each occurrence.</param>
    /// <param name="detail">An explanation of this occurrence.</param>
    /// <exception cref="ArgumentException">The code is not an error code, or there is a detail without a title.</exception>
    public static CoapResponse Problem(CoapCode code, string? title, string? detail = null)
    {
        if (title is not null) { return Response.Problem(code, title, detail); }
        return detail is null ? Response.Error(code) : throw new ArgumentException("The detail has no title; pass a title, too.", nameof(detail));
    }
}
