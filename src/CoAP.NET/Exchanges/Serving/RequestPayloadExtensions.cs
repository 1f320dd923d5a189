using CoAP.Exchanges;
using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Reads the payloads of received requests as values, in the format that Content-Format names.</summary>
public static class RequestPayloadExtensions
{
    /// <summary>Reads the payload as a value. Blocks if the resource was mapped with <c>StreamsBody</c> and the body has not arrived.</summary>
    /// <typeparam name="T">A type that a format in <see cref="CoapEndpointSettings.Formats"/> handles.</typeparam>
    /// <param name="request">The request.</param>
    /// <exception cref="CoapPayloadException">The payload is empty, malformed or not a <typeparamref name="T"/>. Becomes 4.00 (Bad Request).</exception>
    /// <exception cref="CoapResponseException">4.15: no format with this Content-Format handles the type, or the request has no Content-Format. A text or bytes
    /// need none.</exception>
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

    /// <summary>Returns a response whose value has become its payload, in the format that the client accepts.</summary>
    /// <exception cref="NotSupportedException">No format handles the value.</exception>
    internal static CoapResponse WithPayload(this IncomingRequest request, CoapResponse response) =>
        response.Representation is { } representation ? representation.Resolve(response, request.Formats, request.Accept) : response;

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
        var format = formats.Select(typeof(T), named) ?? throw Unsupported<T>($"Content-Format is {named}", formats);
        return named is not null || BytesFormat.NeedsNoName(typeof(T))
            ? format
            : throw Unsupported<T>("The request has no Content-Format", formats);
    }

    private static T ReadWhole<T>(IPayloadFormat format, ReadOnlyMemory<byte> payload)
    {
        if (payload.IsEmpty && !BytesFormat.NeedsNoName(typeof(T)))
        {
            throw new CoapPayloadException($"The request has no payload; a value in {format.Name} is required.", 0);
        }
        return format.Read<T>(payload);
    }

    private static CoapResponseException Unsupported<T>(string what, PayloadFormats formats) => new(
        ResponseCode.UnsupportedContentFormat,
        new ProblemDetails
        {
            Title = new ProblemText("Unsupported Content-Format"),
            Detail = new ProblemText($"{what}; the resource reads {formats.NamesFor(typeof(T))}."),
        });
}
