using System.Text;
using CoAP.Options;

namespace CoAP;

/// <summary>Makes the responses that handlers answer most often.</summary>
public static class Response
{
    private const uint TextPlain = 0;

    private static readonly OptionSet Text = [new ContentFormat(TextPlain)];

    /// <summary>2.01 without a location.</summary>
    public static CoapResponse Created { get; } = new(ResponseCode.Created);

    /// <summary>2.02.</summary>
    public static CoapResponse Deleted { get; } = new(ResponseCode.Deleted);

    /// <summary>2.03; the client's representation with this ETag is current.</summary>
    public static CoapResponse Valid(ETag eTag) => new(ResponseCode.Valid) { Options = [eTag] };

    /// <summary>2.04.</summary>
    public static CoapResponse Changed { get; } = new(ResponseCode.Changed);

    /// <summary>2.05 with a text as text/plain in UTF-8.</summary>
    public static CoapResponse Content(string text) =>
        new(ResponseCode.Content) { Options = Text, Payload = Encoding.UTF8.GetBytes(text) };

    /// <summary>2.05 with a representation of the given Content-Format; the bytes are not copied.</summary>
    public static CoapResponse Content(ReadOnlyMemory<byte> payload, uint contentFormat, params ReadOnlySpan<CoapOption> options) =>
        new(ResponseCode.Content) { Options = [new ContentFormat(contentFormat), .. options], Payload = payload };

    /// <summary>2.05 with a representation that is read block by block as the client asks for it, from where the stream stands now.</summary>
    /// <param name="body">Is disposed of when the last block was sent, or the client has not asked for one for a lifetime.</param>
    /// <param name="contentFormat">The Content-Format of the bytes.</param>
    /// <param name="length">The length in bytes, which the client is told; where it is not said, what is left of a stream that can seek.</param>
    /// <param name="options">Further options, best an ETag; without one, each stream counts as a representation of its own.</param>
    /// <remarks>
    /// Read away from the lane, one block ahead. A stream that can seek serves blocks in any order, others the last block and those behind it.
    /// </remarks>
    /// <exception cref="ArgumentException">The stream cannot be read.</exception>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative.</exception>
    public static CoapResponse Content(Stream body, uint contentFormat, long? length = null, params ReadOnlySpan<CoapOption> options)
    {
        ArgumentNullException.ThrowIfNull(body);
        if (!body.CanRead) { throw new ArgumentException("The stream cannot be read.", nameof(body)); }
        if (length is { } known) { ArgumentOutOfRangeException.ThrowIfNegative(known, nameof(length)); }
        return new(ResponseCode.Content)
        {
            Options = [new ContentFormat(contentFormat), .. options],
            Source = new ResponseSource(body, length ?? (body.CanSeek ? body.Length - body.Position : null)),
        };
    }

    /// <summary>An error with a diagnostic message for people (RFC 7252, section 5.5.2).</summary>
    public static CoapResponse Error(CoapCode code, string? diagnostic = null, params ReadOnlySpan<CoapOption> options) =>
        new(code) { Options = [.. options], Payload = diagnostic is null ? default : Encoding.UTF8.GetBytes(diagnostic) };

    /// <summary>An error with problem details for people and machines (RFC 9290).</summary>
    /// <param name="code">Of class 4 or 5.</param>
    /// <param name="title">What kind of problem it is, the same each time.</param>
    /// <param name="detail">What helps with this very occurrence.</param>
    /// <param name="options">Further options, such as Max-Age of a 5.03.</param>
    /// <exception cref="ArgumentException">The code is no error.</exception>
    public static CoapResponse Problem(CoapCode code, string title, string? detail = null, params ReadOnlySpan<CoapOption> options) =>
        Problem(code, new ProblemDetails { Title = title, Detail = detail is null ? null : new ProblemText(detail) }, options);

    /// <summary>The same with whatever else there is to say.</summary>
    /// <param name="code">Of class 4 or 5, and the one that the details say, if they say one (RFC 9290, section 2).</param>
    /// <param name="problem">What went wrong.</param>
    /// <param name="options">Further options.</param>
    /// <exception cref="ArgumentException">The code is no error, or not the one that the details say.</exception>
    /// <exception cref="InvalidOperationException">The details say nothing.</exception>
    public static CoapResponse Problem(CoapCode code, ProblemDetails problem, params ReadOnlySpan<CoapOption> options)
    {
        ArgumentNullException.ThrowIfNull(problem);
        if (!code.IsClientError && !code.IsServerError) { throw new ArgumentException($"Code {code} is no error; class 4 or 5 is.", nameof(code)); }
        if (problem.ResponseCode is { } said && said != code) { throw new ArgumentException($"The details say {said}, the response {code}.", nameof(problem)); }
        return new(code) { Options = [new ContentFormat(ContentFormats.ConciseProblemDetails), .. options], Payload = problem.ToBytes() };
    }

    /// <summary>4.04.</summary>
    public static CoapResponse NotFound { get; } = new(ResponseCode.NotFound);

    /// <summary>5.03 with the time after which the client may try again.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The time is negative or over 136 years.</exception>
    public static CoapResponse Unavailable(TimeSpan retryAfter)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(retryAfter, TimeSpan.Zero);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(retryAfter.TotalSeconds, uint.MaxValue);
        return new(ResponseCode.ServiceUnavailable) { Options = [new MaxAge((uint)Math.Ceiling(retryAfter.TotalSeconds))] };
    }

    /// <summary>5.03: there is no room for the request right now.</summary>
    internal static CoapResponse Overloaded { get; } = Unavailable(TimeSpan.FromSeconds(1));
}
