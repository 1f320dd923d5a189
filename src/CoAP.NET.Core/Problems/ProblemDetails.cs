using System.Diagnostics.CodeAnalysis;
using CoAP.Problems;

namespace CoAP;

/// <summary>The payload of an error response that describes the problem for people and machines (RFC 9290).</summary>
/// <remarks>Immutable and safe for concurrent use. Its Content-Format is <see cref="ContentFormats.ConciseProblemDetails"/>.</remarks>
public sealed record ProblemDetails
{
    internal const int LastKnownKey = -8;

    /// <summary>The kind of problem; the same for each occurrence.</summary>
    public ProblemText? Title { get; init; }

    /// <summary>An explanation of this occurrence.</summary>
    public ProblemText? Detail { get; init; }

    /// <summary>A URI reference that identifies this occurrence.</summary>
    public string? Instance { get; init; }

    /// <summary>The response code of the origin server, for readers that do not have the response.</summary>
    public CoapCode? ResponseCode { get; init; }

    /// <summary>The base URI of relative references in the problem details.</summary>
    public string? BaseUri { get; init; }

    /// <summary>The language of texts that have no language.</summary>
    /// <exception cref="ArgumentException">The value is not a language tag.</exception>
    public string? BaseLanguage
    {
        get;
        init => field = value is null || ProblemText.IsLanguageTag(value)
            ? value
            : throw new ArgumentException($"'{value}' is not a language tag.", nameof(value));
    }

    /// <summary>The direction of texts that have no direction.</summary>
    public TextDirection? BaseDirection { get; init; }

    /// <summary>The numbers of the request options that the server could not process (RFC 9290, section 3.1.1).</summary>
    public IReadOnlyList<uint> UnprocessedOptions { get; init; } = [];

    /// <summary>The entries of the application, and those that this library does not know.</summary>
    public IReadOnlyList<ProblemEntry> Entries { get; init; } = [];

    /// <summary>Returns the problem details as a payload.</summary>
    /// <exception cref="InvalidOperationException">The problem details are empty, or two entries have the same key.</exception>
    public byte[] ToBytes() => ProblemWriter.Write(this);

    /// <summary>Reads a payload. Never throws, whatever the bytes are.</summary>
    /// <returns>Whether the bytes are problem details (RFC 9290, section 2) with at most 64 entries and 16 levels.</returns>
    public static bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out ProblemDetails? problem) => ProblemReader.TryRead(bytes, out problem);

    /// <summary>Whether both are equal.</summary>
    public bool Equals(ProblemDetails? other) =>
        other is not null && Title == other.Title && Detail == other.Detail && Instance == other.Instance && ResponseCode == other.ResponseCode
        && BaseUri == other.BaseUri && BaseLanguage == other.BaseLanguage && BaseDirection == other.BaseDirection
        && UnprocessedOptions.SequenceEqual(other.UnprocessedOptions) && Entries.SequenceEqual(other.Entries);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Title, Detail, Instance, ResponseCode);

    /// <summary>Returns title and detail.</summary>
    public override string ToString() => string.Join(": ", new[] { Title?.Text, Detail?.Text }.Where(text => !string.IsNullOrEmpty(text)));
}
