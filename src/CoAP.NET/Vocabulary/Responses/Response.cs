using System.Text;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Creates the most common responses.</summary>
public static class Response
{
    private const uint TextPlain = 0;

    private static readonly OptionSet Text = [new ContentFormat(TextPlain)];

    /// <summary>A 2.01 (Created) response without a location.</summary>
    public static CoapResponse Created { get; } = new(ResponseCode.Created);

    /// <summary>Creates a 2.01 (Created) response with the location of the new resource (RFC 7252, section 5.8.2).</summary>
    /// <param name="location">The path, such as "/store/17" or "/store/17?unit=Cel", percent-encoded where necessary.</param>
    /// <param name="eTag">Identifies the representation at the location (RFC 7252, section 5.10.6.1). Default: none.</param>
    /// <exception cref="ArgumentNullException">The location is <see langword="null"/>.</exception>
    /// <exception cref="ArgumentException">
    /// The location is empty, does not begin with "/", or is "/", which no option can carry; or it contains a segment that is "." or "..", a fragment, or a
    /// part that does not fit into an option.
    /// </exception>
    public static CoapResponse CreatedAt(string location, ETag? eTag = null)
    {
        var options = Location.Parse(location);
        return new(ResponseCode.Created) { Options = eTag is null ? [.. options] : [eTag, .. options] };
    }

    /// <summary>A 2.02 (Deleted) response.</summary>
    public static CoapResponse Deleted { get; } = new(ResponseCode.Deleted);

    /// <summary>Creates a 2.03 (Valid) response: the client's representation with this ETag is current.</summary>
    /// <param name="eTag">The ETag of the representation.</param>
    /// <param name="maxAge">
    /// The time for which the client may reuse the representation from now on, in whole seconds, rounded down. It replaces the Max-Age of the
    /// representation, so pass the same (RFC 7252, section 5.9.1.3). Default: no Max-Age option, which means 60 s.
    /// </param>
    /// <exception cref="ArgumentNullException">The ETag is <see langword="null"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static CoapResponse Valid(ETag eTag, TimeSpan? maxAge = null)
    {
        ArgumentNullException.ThrowIfNull(eTag);
        return new(ResponseCode.Valid) { Options = maxAge is { } time ? [eTag, MaxAgeOf(time, nameof(maxAge))] : [eTag] };
    }

    /// <summary>A 2.04 (Changed) response.</summary>
    public static CoapResponse Changed { get; } = new(ResponseCode.Changed);

    /// <summary>Creates a 2.04 (Changed) response with the ETag of the new representation.</summary>
    /// <remarks>
    /// The ETag identifies the representation that a GET would now return (RFC 7252, sections 5.5.3 and 5.10.6.1), not the payload of the 2.04. A client
    /// can send it in the If-Match option of its next change.
    /// </remarks>
    /// <exception cref="ArgumentNullException">The ETag is <see langword="null"/>.</exception>
    public static CoapResponse ChangedTo(ETag eTag)
    {
        ArgumentNullException.ThrowIfNull(eTag);
        return new(ResponseCode.Changed) { Options = [eTag] };
    }

    /// <summary>Creates a 2.05 (Content) response with a text, sent as text/plain in UTF-8.</summary>
    /// <param name="text">The text.</param>
    /// <param name="maxAge">
    /// The time for which the response may be reused, in whole seconds, rounded down. Default: no Max-Age option, which means 60 s (RFC 7252, section 5.10.5).
    /// </param>
    /// <param name="eTag">Identifies the representation. Default: none.</param>
    /// <exception cref="ArgumentNullException">The text is <see langword="null"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static CoapResponse Content(string text, TimeSpan? maxAge = null, ETag? eTag = null)
    {
        ArgumentNullException.ThrowIfNull(text);
        var options = Text;
        if (maxAge is { } time) { options = options.With(MaxAgeOf(time, nameof(maxAge))); }
        if (eTag is not null) { options = options.With(eTag); }
        return new(ResponseCode.Content) { Options = options, Payload = Encoding.UTF8.GetBytes(text) };
    }

    /// <summary>Creates a 2.05 (Content) response with a value. It is sent in the format that the client accepts, or in the preferred one for its type.</summary>
    /// <inheritdoc cref="Of" path="/typeparam|/remarks"/>
    /// <param name="value">The value.</param>
    /// <param name="options">Further options, such as an ETag or a Max-Age.</param>
    public static CoapResponse Content<T>(T value, params ReadOnlySpan<CoapOption> options) => Of(ResponseCode.Content, value, options);

    /// <summary>Creates a response with a value. It is sent in the format that the client accepts, or in the preferred one for its type.</summary>
    /// <typeparam name="T">A type that a format in <see cref="CoapEndpointSettings.Formats"/> handles. Otherwise, the client gets 5.00 and the log tells why.</typeparam>
    /// <param name="code">The response code.</param>
    /// <param name="value">The value.</param>
    /// <param name="options">Further options. A Content-Format selects the format. A client that accepts only another one gets 4.06.</param>
    /// <remarks>
    /// The value is written after the handler has returned, so do not change it afterwards. Until then, <see cref="CoapResponse.Payload"/> is empty. If the
    /// client accepts no format of the value, GET and FETCH get 4.06 (RFC 7252, section 5.10.4). Other methods get the preferred format, because the handler
    /// has acted; it can call <see cref="RequestPayloadExtensions.Accepts{T}(IncomingRequest)"/> before.
    /// </remarks>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    /// <exception cref="ArgumentException">The code is not a response code, or it is 2.03, which has no payload.</exception>
    public static CoapResponse Of<T>(CoapCode code, T value, params ReadOnlySpan<CoapOption> options)
    {
        if (value is null) { throw new ArgumentNullException(nameof(value), "The value is null; a payload requires a value. If there is none, return Response.NotFound."); }
        if (!code.MayHavePayload) { throw new ArgumentException($"A response with code {code} cannot have a payload (RFC 7252, section 5.5).", nameof(code)); }
        return new(code) { Options = [.. options], Representation = new Representation<T>(value) };
    }

    /// <summary>Creates a 2.05 (Content) response with a representation in the given Content-Format. The bytes are not copied.</summary>
    public static CoapResponse Content(ReadOnlyMemory<byte> payload, uint contentFormat, params ReadOnlySpan<CoapOption> options) =>
        new(ResponseCode.Content) { Options = [new ContentFormat(contentFormat), .. options], Payload = payload };

    /// <summary>Creates a 2.05 (Content) response whose representation is read from a stream, block by block, as the client requests it.</summary>
    /// <param name="body">The stream, read from its current position. Disposed when the last block has been sent, or when the client has requested
    /// no block for <see cref="ServerTransferSettings.Lifetime"/>.</param>
    /// <param name="contentFormat">The Content-Format of the bytes.</param>
    /// <param name="length">The length, in bytes, which is announced to the client. Default: the rest of a seekable stream, otherwise unknown.</param>
    /// <param name="options">Further options, preferably an ETag. Without one, each stream counts as a different representation.</param>
    /// <remarks>
    /// The stream is read outside the lane, one block ahead. A seekable stream serves blocks in any order. Others serve the last block and the following ones.
    /// </remarks>
    /// <exception cref="ArgumentException">The stream is not readable.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static CoapResponse Content(Stream body, uint contentFormat, long? length = null, params ReadOnlySpan<CoapOption> options)
    {
        var source = BodySource.From(body, length, nameof(body));
        return new(ResponseCode.Content) { Options = [new ContentFormat(contentFormat), .. options], Source = source };
    }

    /// <summary>Creates an error response with a human-readable diagnostic message (RFC 7252, section 5.5.2).</summary>
    /// <param name="code">A code of class 4 or 5.</param>
    /// <param name="diagnostic">The text; <see langword="null"/> if there is none.</param>
    /// <param name="options">The options, such as the Max-Age of a 5.03.</param>
    /// <exception cref="ArgumentException">The code is not an error code.</exception>
    public static CoapResponse Error(CoapCode code, string? diagnostic = null, params ReadOnlySpan<CoapOption> options)
    {
        CoapResponseException.ThrowUnlessError(code);
        return new(code) { Options = [.. options], Payload = diagnostic is null ? default : Encoding.UTF8.GetBytes(diagnostic.ReplaceLineEndings("\r\n")) };
    }

    /// <summary>Creates an error response with machine-readable problem details (RFC 9290).</summary>
    /// <param name="code">A code of class 4 or 5.</param>
    /// <param name="title">The kind of problem. Use the same title for each occurrence.</param>
    /// <param name="detail">An explanation of this occurrence.</param>
    /// <param name="options">Further options, such as the Max-Age of a 5.03.</param>
    /// <exception cref="ArgumentException">The code is not an error code.</exception>
    public static CoapResponse Problem(CoapCode code, string title, string? detail = null, params ReadOnlySpan<CoapOption> options) =>
        Problem(code, new ProblemDetails { Title = title, Detail = detail is null ? null : new ProblemText(detail) }, options);

    /// <summary>Creates an error response with the given problem details (RFC 9290).</summary>
    /// <param name="code">A code of class 4 or 5. It must match the code in the details, if they have one (RFC 9290, section 2).</param>
    /// <param name="problem">The problem details.</param>
    /// <param name="options">Further options.</param>
    /// <exception cref="ArgumentException">The code is not an error code, or it differs from the code in the details.</exception>
    /// <exception cref="InvalidOperationException">The details are empty.</exception>
    public static CoapResponse Problem(CoapCode code, ProblemDetails problem, params ReadOnlySpan<CoapOption> options)
    {
        ArgumentNullException.ThrowIfNull(problem);
        CoapResponseException.ThrowUnlessError(code);
        if (problem.ResponseCode is { } inDetails && inDetails != code)
        {
            throw new ArgumentException($"The problem details have code {inDetails}, but the response has code {code}.", nameof(problem));
        }
        return new(code) { Options = [new ContentFormat(ContentFormats.ConciseProblemDetails), .. options], Payload = problem.ToBytes() };
    }

    /// <summary>Creates a 4.02 (Bad Option) response that names the option (RFC 9290, section 3.1.1).</summary>
    internal static CoapResponse BadOption(int number, string detail) =>
        Problem(ResponseCode.BadOption, new ProblemDetails { Detail = new ProblemText(detail), UnprocessedOptions = [(uint)number] });

    /// <summary>A 4.04 (Not Found) response.</summary>
    public static CoapResponse NotFound { get; } = new(ResponseCode.NotFound);

    /// <summary>Creates a 5.03 (Service Unavailable) response with the time after which the client may retry.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static CoapResponse Unavailable(TimeSpan retryAfter) => Later(ResponseCode.ServiceUnavailable, retryAfter);

    /// <summary>Creates a 4.29 (Too Many Requests) response with the time after which the client may send such a request again (RFC 8516).</summary>
    /// <param name="retryAfter">The time. It is sent in whole seconds, rounded up.</param>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    public static CoapResponse TooManyRequests(TimeSpan retryAfter) => Later(ResponseCode.TooManyRequests, retryAfter);

    /// <summary>A 5.00 (Internal Server Error) response for a request whose processing has failed. The details are in the log only.</summary>
    internal static CoapResponse Failed { get; } = Error(ResponseCode.InternalServerError, "The server failed to process the request.");

    /// <summary>A 4.06 (Not Acceptable) response. It has no payload (RFC 7252, section 5.9.2.7).</summary>
    internal static CoapResponse NotAcceptable { get; } = new(ResponseCode.NotAcceptable);

    /// <summary>A 5.03 (Service Unavailable) response for a request that does not fit into the queue.</summary>
    internal static CoapResponse Overloaded { get; } = Unavailable(TimeSpan.FromSeconds(1));

    private static CoapResponse Later(CoapCode code, TimeSpan retryAfter)
    {
        var seconds = SecondsOf(retryAfter, nameof(retryAfter));
        return new(code) { Options = [new MaxAge((uint)Math.Ceiling(seconds))] };
    }

    /// <summary>Returns the option with a time in whole seconds, rounded down.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or longer than 136 years.</exception>
    internal static MaxAge MaxAgeOf(TimeSpan time, string parameter) => new((uint)Math.Floor(SecondsOf(time, parameter)));

    private static double SecondsOf(TimeSpan time, string parameter)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(time, TimeSpan.Zero, parameter);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(time.TotalSeconds, uint.MaxValue, parameter);
        return time.TotalSeconds;
    }
}
