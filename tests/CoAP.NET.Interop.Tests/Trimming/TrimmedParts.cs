namespace CoAP.Interop.Tests.Trimming;

/// <summary>What a trimmed program is made of.</summary>
/// <param name="Sources">The files of its code, relative to the root of the repository.</param>
/// <param name="Generator">The source generator.</param>
/// <param name="Libraries">The assemblies.</param>
/// <param name="Packages">The packages from NuGet.</param>
internal sealed record TrimmedParts(string Sources, string Generator, IReadOnlyList<string> Libraries, IReadOnlyList<string> Packages);
