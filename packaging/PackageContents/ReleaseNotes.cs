namespace CoAP.Packaging;

/// <summary>The release notes of a package: the changelog's section of its version.</summary>
internal static class ReleaseNotes
{
    /// <summary>The most characters that nuget.org accepts.</summary>
    public const int MaxLength = 35_000;

    /// <summary>Returns the lines below the heading of a version, up to the next version.</summary>
    /// <exception cref="InvalidDataException">The section is missing, empty or too long.</exception>
    public static string Of(string changelog, string version)
    {
        var lines = changelog.ReplaceLineEndings("\n").Split('\n');
        var section = lines.SkipWhile(line => !line.StartsWith($"## {version} ", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(static line => !line.StartsWith("## ", StringComparison.Ordinal));
        var notes = string.Join('\n', section).Trim();
        return notes.Length switch
        {
            0 => throw new InvalidDataException($"The changelog has no lines for version {version}. Add a section \"## {version} (unreleased)\"."),
            > MaxLength => throw new InvalidDataException(
                $"The changelog's section of version {version} has {notes.Length} characters. Release notes have at most {MaxLength}. Shorten the section."),
            _ => notes,
        };
    }
}
