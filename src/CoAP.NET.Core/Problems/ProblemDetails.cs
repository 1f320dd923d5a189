using System.Diagnostics.CodeAnalysis;
using CoAP.Problems;

namespace CoAP;

/// <summary>What went wrong, for people and for machines: the payload of an error response (RFC 9290).</summary>
/// <remarks>Immutable; safe for concurrent use. Its Content-Format is <see cref="ContentFormats.ConciseProblemDetails"/>.</remarks>
public sealed record ProblemDetails
{
    internal const int LastKnownKey = -8;

    /// <summary>What kind of problem it is, the same each time.</summary>
    public ProblemText? Title { get; init; }

    /// <summary>What helps with this very occurrence.</summary>
    public ProblemText? Detail { get; init; }

    /// <summary>A URI reference that names this very occurrence.</summary>
    public string? Instance { get; init; }

    /// <summary>The response code that the origin server gave; of use where the response that it came in is gone.</summary>
    public CoapCode? ResponseCode { get; init; }

    /// <summary>What relative URI references in it are relative to.</summary>
    public string? BaseUri { get; init; }

    /// <summary>The language of texts that do not say one.</summary>
    /// <exception cref="ArgumentException">It is no language tag.</exception>
    public string? BaseLanguage
    {
        get;
        init => field = value is null || ProblemText.IsLanguageTag(value)
            ? value
            : throw new ArgumentException($"'{value}' is no language tag.", nameof(value));
    }

    /// <summary>How texts that do not say it are written.</summary>
    public TextDirection? BaseDirection { get; init; }

    /// <summary>The numbers of options of the request that the server could not process (RFC 9290, section 3.1.1).</summary>
    public IReadOnlyList<uint> UnprocessedOptions { get; init; } = [];

    /// <summary>The application's entries, and those that this library does not know: what is not understood is ignored, and kept.</summary>
    public IReadOnlyList<ProblemEntry> Entries { get; init; } = [];

    /// <summary>The payload.</summary>
    /// <exception cref="InvalidOperationException">There is nothing in it, or two entries have the same key.</exception>
    public byte[] ToBytes() => ProblemWriter.Write(this);

    /// <summary>Reads a payload. No exception leaves it, whatever the bytes are.</summary>
    /// <returns>Whether the bytes are problem details as RFC 9290, section 2, defines them, at most 64 entries and 16 levels deep.</returns>
    public static bool TryRead(ReadOnlyMemory<byte> bytes, [NotNullWhen(true)] out ProblemDetails? problem) => ProblemReader.TryRead(bytes, out problem);

    /// <summary>Whether both say the same.</summary>
    public bool Equals(ProblemDetails? other) =>
        other is not null && Title == other.Title && Detail == other.Detail && Instance == other.Instance && ResponseCode == other.ResponseCode
        && BaseUri == other.BaseUri && BaseLanguage == other.BaseLanguage && BaseDirection == other.BaseDirection
        && UnprocessedOptions.SequenceEqual(other.UnprocessedOptions) && Entries.SequenceEqual(other.Entries);

    /// <inheritdoc/>
    public override int GetHashCode() => HashCode.Combine(Title, Detail, Instance, ResponseCode);

    /// <summary>Title and detail.</summary>
    public override string ToString() => string.Join(": ", new[] { Title?.Text, Detail?.Text }.Where(text => !string.IsNullOrEmpty(text)));
}
