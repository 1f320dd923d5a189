using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Reads the payloads of received requests as values, in the format that Content-Format names.</summary>
public static class RequestPayloadExtensions
{
    /// <summary>
    /// Whether the client accepts a format of the type. A handler that changes something calls the method first and returns 4.06 (Not Acceptable) if not:
    /// once it has acted, its answer is sent in the preferred format.
    /// </summary>
    /// <typeparam name="T">The type of the value in the response.</typeparam>
    /// <param name="request">The request. Without an Accept option, the client accepts any format (RFC 7252, section 5.10.4).</param>
    /// <exception cref="NotSupportedException">No format handles the type at all.</exception>
    public static bool Accepts<T>(this IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.Formats.Select(typeof(T), request.Accept) is not null;
    }

    /// <summary>Reads the payload as a value. Blocks if the resource was mapped with <c>StreamsBody</c> and the body has not arrived.</summary>
    /// <typeparam name="T">A type that a format in <see cref="CoapEndpointSettings.Formats"/> handles.</typeparam>
    /// <param name="request">The request.</param>
    /// <exception cref="CoapPayloadException">The payload is empty, malformed or not a <typeparamref name="T"/>. Becomes 4.00 (Bad Request).</exception>
    /// <exception cref="CoapResponseException">4.15: no format with this Content-Format handles the type, or the request has no Content-Format and several
    /// formats handle the type. A text or bytes need none.</exception>
    /// <exception cref="NotSupportedException">No format handles the type at all.</exception>
    /// <exception cref="InvalidOperationException">The method has no payload, as GET.</exception>
    /// <exception cref="CoapTransferException">The transfer of a streamed body failed.</exception>
    public static T Read<T>(this IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        var format = FormatOf<T>(request);
        if (request.Streamed is null) { return ReadWhole<T>(format, request.Payload); }
        using var whole = new MemoryStream();
        request.Body.CopyTo(whole);
        return ReadWhole<T>(format, whole.GetBuffer().AsMemory(0, (int)whole.Length));
    }

    /// <summary>Reads the payload as a value. Waits if the resource was mapped with <c>StreamsBody</c> and the body has not arrived.</summary>
    /// <inheritdoc cref="Read" path="/typeparam|/exception"/>
    /// <param name="request">The request.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    public static ValueTask<T> ReadAsync<T>(this IncomingRequest request, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(request);
        var format = FormatOf<T>(request);
        return request.Streamed is null ? new(ReadWhole<T>(format, request.Payload)) : ReadStreamAsync<T>(request, format, cancellationToken);
    }

    private static async ValueTask<T> ReadStreamAsync<T>(IncomingRequest request, IPayloadFormat format, CancellationToken cancellationToken)
    {
        using var whole = new MemoryStream();
        await request.Body.CopyToAsync(whole, cancellationToken).ConfigureAwait(false);
        return ReadWhole<T>(format, whole.GetBuffer().AsMemory(0, (int)whole.Length));
    }

    private static IPayloadFormat FormatOf<T>(IncomingRequest request)
    {
        // A client cannot send what the method does not have, so this is a mistake of the handler.
        if (!request.Method.MayHavePayload)
        {
            throw new InvalidOperationException($"A {CodeNames.OfMethod(request.Method)} request has no payload to read (RFC 7252, section 5.5).");
        }
        var formats = request.Formats;
        var named = request.ContentFormat;
        var format = formats.Select(typeof(T), named);
        // Without a payload, there is no format to complain about. A body that is still arriving is checked when it is read.
        if (request.Streamed is null) { RequirePayload<T>(format ?? formats.For(typeof(T)), request.Payload); }
        if (format is null) { throw Unsupported($"Content-Format is {named}; the resource reads {formats.NamesFor(typeof(T))}."); }
        // The format of a payload without a Content-Format is inferred if there is only one (RFC 7252, section 5.5.1).
        return named is not null || BytesFormat.NeedsNoName(typeof(T)) || formats.IsOnly(format, typeof(T))
            ? format
            : throw Unsupported(
                "The request has no Content-Format, and the resource reads several formats; send the option with that of the payload: "
                + $"{formats.NamesFor(typeof(T))}.");
    }

    private static T ReadWhole<T>(IPayloadFormat format, ReadOnlyMemory<byte> payload)
    {
        RequirePayload<T>(format, payload);
        return format.Read<T>(payload);
    }

    private static void RequirePayload<T>(IPayloadFormat format, ReadOnlyMemory<byte> payload)
    {
        if (payload.IsEmpty && !BytesFormat.NeedsNoName(typeof(T)))
        {
            throw new CoapPayloadException($"The request has no payload; a value in {format.Name} is required.", 0);
        }
    }

    private static CoapResponseException Unsupported(string detail) => new(
        ResponseCode.UnsupportedContentFormat,
        new ProblemDetails
        {
            Title = new ProblemText("Unsupported Content-Format"),
            Detail = new ProblemText(detail),
        });
}
