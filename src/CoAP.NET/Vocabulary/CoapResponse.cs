using System.Text;
using CoAP.Options;

namespace CoAP;

/// <summary>What a server answers: made by handlers with <see cref="Response"/>, received by clients.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed class CoapResponse
{
    // What is sent has a source, what was received the request that it answers: there are many responses, and they are kept small.
    private readonly object? _beside;

    /// <summary>Makes a response without options and payload.</summary>
    /// <exception cref="ArgumentException">The code is no response code.</exception>
    public CoapResponse(CoapCode code)
    {
        if (!code.IsResponse) { throw new ArgumentException($"Code {code} is no response code; those of class 2, 4 and 5 are.", nameof(code)); }
        Code = code;
    }

    /// <summary>The response code.</summary>
    public CoapCode Code { get; }

    /// <summary>The options.</summary>
    public OptionSet Options { get; init; }

    /// <summary>The payload; what it is says Content-Format, and in errors it is a text for people (RFC 7252, section 5.5). Not copied: what was answered with must not change.</summary>
    /// <exception cref="ArgumentException">The code is 2.03, which has none (RFC 7252, section 5.5).</exception>
    public ReadOnlyMemory<byte> Payload
    {
        get;
        init => field = value.IsEmpty || Code.MayHavePayload
            ? value
            : throw new ArgumentException($"A response {Code} has no payload (RFC 7252, section 5.5).", nameof(value));
    }

    /// <summary>The payload as a stream that is read while it is sent; see <see cref="Response.Content(Stream, uint, long?, ReadOnlySpan{CoapOption})"/>.</summary>
    internal ResponseSource? Source { get => _beside as ResponseSource; init => _beside = value; }

    /// <summary>Whether the code is of class 2.</summary>
    public bool IsSuccess => Code.IsSuccess;

    /// <summary>The payload read as UTF-8.</summary>
    public string PayloadText => Encoding.UTF8.GetString(Payload.Span);

    /// <summary>The Content-Format, if the response says one.</summary>
    public uint? ContentFormat => Options.Get<ContentFormat>()?.Value;

    /// <summary>What went wrong, where the response is an error that says it in the form of RFC 9290 and is well-formed; read anew each time.</summary>
    public ProblemDetails? Problem => !IsSuccess && ContentFormat == ContentFormats.ConciseProblemDetails && ProblemDetails.TryRead(Payload, out var problem) ? problem : null;

    /// <summary>Who answered; nobody in responses that a handler makes.</summary>
    public PeerIdentity Remote { get; init; }

    /// <summary>What it answers; nothing in responses that a handler makes.</summary>
    internal CoapRequest? Asked { get => _beside as CoapRequest; init => _beside = value; }

    /// <summary>The time from the first transmission of the request to the response; zero in responses that a handler makes.</summary>
    public TimeSpan RoundTripTime { get; init; }

    /// <summary>Whether blocks of the request's body were taken before this response came, and perhaps acted on (RFC 7959, section 2.10).</summary>
    internal bool FollowsBlocks { get; init; }

    /// <summary>Whether the response comes out of a <see cref="ResponseCache"/>, be it that the server has just confirmed it (RFC 7252, section 5.6).</summary>
    public bool IsFromCache { get; init; }

    /// <summary>How long ago a response out of a cache was received or confirmed; zero otherwise. Its Max-Age counts from then.</summary>
    public TimeSpan Age { get; init; }

    /// <summary>Answers this response, or throws where it is an error.</summary>
    /// <exception cref="CoapResponseException">The code is of class 4 or 5.</exception>
    public CoapResponse EnsureSuccess()
    {
        if (IsSuccess) { return this; }
        var problem = Problem;
        var isText = ContentFormat is null && !Payload.IsEmpty;
        var diagnostic = problem is not null ? CoapResponseException.TextOf(problem) : isText ? PayloadText : null;
        throw new CoapResponseException(Code, diagnostic, Asked, Remote) { Problem = problem, Options = Options };
    }

    /// <summary>The code and the size of the payload.</summary>
    public override string ToString() => $"{Code}, {Payload.Length} bytes";
}

/// <summary>The body of a response as a stream.</summary>
/// <param name="Stream">Is read from where it stands.</param>
/// <param name="Length">Its length in bytes, where it is known.</param>
internal sealed record ResponseSource(Stream Stream, long? Length);
