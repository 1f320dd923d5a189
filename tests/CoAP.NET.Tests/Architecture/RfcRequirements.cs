namespace CoAP.Tests.Architecture;

/// <summary>A requirement of an RFC.</summary>
/// <param name="Rfc">The number of the RFC.</param>
/// <param name="Section">The number of the section.</param>
/// <param name="Letter">Tells the requirements of a section apart.</param>
/// <param name="Text">The requirement in short.</param>
/// <param name="Proof">The tests that fail if the requirement is broken, or the reason why there is none.</param>
internal sealed record RfcRequirement(string Rfc, string Section, string Letter, string Text, string Proof)
{
    /// <summary>The reason that the second part of the file explains.</summary>
    public const string Broken = "not kept";

    /// <summary>The mark at the end of a requirement that was written down without the text of its RFC at hand.</summary>
    public const string MemoryMark = "(from memory)";

    /// <summary>The reasons for which a requirement may have no test.</summary>
    public static IReadOnlyList<string> Reasons { get; } =
    [
        "not implemented: proxies", "not implemented: OSCORE", "not implemented: renegotiation", "not implemented: other key exchanges",
        "not implemented: DTLS over other transports",
        "not implemented: EXI", "not implemented: streams in XML",
        "no code: applications", "no code: people", "no code: registries", "no code: OpenSSL", Broken,
    ];

    /// <summary>Whether the requirement may differ from what the RFC says. It counts as unproven, with or without tests.</summary>
    public bool IsFromMemory => Text.EndsWith(MemoryMark, StringComparison.Ordinal);

    public bool HasReason => Reasons.Contains(Proof);

    /// <summary>The names of the tests, each as Class.Method.</summary>
    public IReadOnlyList<string> Tests => HasReason ? [] : Proof.Split(", ");
}

/// <summary>The requirements of the RFCs, read from RfcRequirements.txt.</summary>
internal static class RfcRequirements
{
    public const string File = "tests/CoAP.NET.Tests/Architecture/RfcRequirements.txt";

    private const string SecondPart = "[not kept]";

    private static readonly List<string> Lines = [.. SourceTree.Lines(File).Where(line => line.Length > 0 && line[0] != '#')];

    /// <summary>Everything that an RFC calls MUST, MUST NOT, SHALL or REQUIRED.</summary>
    public static IReadOnlyList<RfcRequirement> Musts { get; } = [.. Lines.TakeWhile(line => line != SecondPart).Select(Parse)];

    /// <summary>What an RFC calls SHOULD, SHOULD NOT or RECOMMENDED and the library does not do. The proof is the reason.</summary>
    public static IReadOnlyList<RfcRequirement> NotKept { get; } = [.. Lines.SkipWhile(line => line != SecondPart).Skip(1).Select(Parse)];

    private static RfcRequirement Parse(string line)
    {
        var parts = line.Split(" | ");
        var key = parts[0].Split(' ');
        return parts.Length == 3 && key.Length == 3
            ? new(key[0], key[1], key[2], parts[1].Trim(), parts[2].Trim())
            : throw new FormatException($"{File} has a line that is not 'RFC section letter | text | proof': {line}");
    }
}
