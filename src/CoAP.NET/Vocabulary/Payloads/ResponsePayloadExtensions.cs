using CoAP.Vocabulary;

namespace CoAP;

/// <summary>Reads the payloads of received responses as values, in the format that Content-Format names.</summary>
public static class ResponsePayloadExtensions
{
    /// <summary>Reads the payload as a value.</summary>
    /// <typeparam name="T">A type that one of the formats handles.</typeparam>
    /// <param name="response">The response. The code does not matter; see <see cref="CoapResponse.EnsureSuccess"/>.</param>
    /// <param name="formats">The formats, such as <see cref="IRequestSender.Formats"/> of the client.</param>
    /// <exception cref="CoapPayloadException">The payload is empty, malformed or not a <typeparamref name="T"/>, or no format with the Content-Format of the
    /// response handles the type.</exception>
    /// <exception cref="NotSupportedException">No format handles the type at all.</exception>
    public static T Read<T>(this CoapResponse response, PayloadFormats formats)
    {
        ArgumentNullException.ThrowIfNull(response);
        ArgumentNullException.ThrowIfNull(formats);
        // Without a Content-Format the response is taken to be in the format that was asked for (RFC 7252, section 5.5.1).
        var named = response.ContentFormat ?? response.Asked?.Options.Get<Options.Accept>()?.Value;
        if (formats.Select(typeof(T), named) is not { } format)
        {
            throw Error(response, $"is in Content-Format {named}, which cannot be read as {TypeAdvice.NameOf(typeof(T))}; the formats that can are {formats.NamesFor(typeof(T))}");
        }
        if (response.Payload.IsEmpty && !BytesFormat.NeedsNoName(typeof(T))) { throw Error(response, $"is empty; a value in {format.Name} is required"); }
        try { return format.Read<T>(response.Payload); }
        catch (CoapPayloadException exception)
        {
            throw Error(response, $"is not a valid {format.Name} value of {TypeAdvice.NameOf(typeof(T))}: {exception.Message}", exception);
        }
    }

    private static CoapPayloadException Error(CoapResponse response, string what, CoapPayloadException? inner = null)
    {
        var request = response.Asked is { } asked ? $" to {asked.Describe()}" : "";
        var peer = response.Remote.IsNone ? "" : $" of {response.Remote}";
        var advice = response.IsSuccess ? "" : ". The response is an error: call EnsureSuccess before Read";
        return new CoapPayloadException($"The payload of the {response.Code} response{peer}{request} {what}{advice}", inner?.Offset, inner) { IsOfResponse = true };
    }
}
