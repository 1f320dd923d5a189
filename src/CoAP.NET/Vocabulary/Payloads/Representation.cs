using CoAP.Options;

namespace CoAP.Vocabulary;

/// <summary>The value of a response. Its format is selected when the handler has returned it, because it depends on what the client accepts.</summary>
internal abstract class Representation
{
    /// <summary>
    /// Returns the response with the payload in the selected format, or 4.06 if the method is safe and the client accepts no format of the value.
    /// </summary>
    /// <remarks>The response to an unsafe method stands, because the handler has acted: a 4.06 would say that it has not.</remarks>
    /// <param name="response">The response of the handler.</param>
    /// <param name="formats">The formats of the endpoint.</param>
    /// <param name="accept">The format that the client accepts; <see langword="null"/> if it accepts any (RFC 7252, section 5.10.4).</param>
    /// <param name="isSafe">Whether the method of the request is safe (RFC 7252, section 5.1).</param>
    /// <exception cref="NotSupportedException">No format handles the value.</exception>
    public abstract CoapResponse Resolve(CoapResponse response, PayloadFormats formats, uint? accept, bool isSafe);
}

/// <inheritdoc/>
internal sealed class Representation<T>(T value) : Representation
{
    public override CoapResponse Resolve(CoapResponse response, PayloadFormats formats, uint? accept, bool isSafe)
    {
        // A handler that sets Content-Format itself has selected the format. An error is sent in any format: the client can still use its code.
        var wanted = response.ContentFormat ?? (response.IsSuccess ? accept : null);
        if (formats.Select(typeof(T), wanted) is { } format) { return Write(response, format); }
        if (response.ContentFormat is { } selected)
        {
            throw new NotSupportedException(
                $"The response has the Content-Format {selected}, but no format with this identifier handles {TypeAdvice.NameOf(typeof(T))}. The formats that do are {formats.NamesFor(typeof(T))}.");
        }
        return isSafe ? Response.NotAcceptable : Write(response, formats.For(typeof(T)));
    }

    private CoapResponse Write(CoapResponse response, IPayloadFormat format) => new(
        response.Code,
        response.ContentFormat is null ? response.Options.With(new ContentFormat(format.ContentFormat)) : response.Options,
        PayloadBuffer.Write(format, value));
}
