namespace CoAP.Hosting.Generation.Analysis;

/// <summary>The template of a call, as far as it is known when the call is compiled.</summary>
/// <param name="Text">The template; <see langword="null"/> if it is not a constant.</param>
/// <param name="Names">The names of its placeholders.</param>
/// <param name="IsWhole">Whether there can be no other placeholders, as in the prefix of a group.</param>
internal sealed record Template(string? Text, IReadOnlyCollection<string> Names, bool IsWhole);
