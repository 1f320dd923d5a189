using System.Text.RegularExpressions;

namespace CoAP.Packaging;

/// <summary>The page of a package, read outside of the repository.</summary>
internal static partial class PackageReadme
{
    /// <summary>Returns the page with its links into the repository made absolute. Without an address, it names the file instead.</summary>
    /// <param name="page">The README of a project in <c>src</c>, whose links start with <c>../../</c>.</param>
    /// <param name="pagesUrl">The address of the root of the repository, or nothing.</param>
    public static string From(string page, string pagesUrl) =>
        Link().Replace(page, pagesUrl.Length == 0 ? "${text} (`${file}`)" : $"[${{text}}]({pagesUrl.TrimEnd('/')}/${{file}})");

    [GeneratedRegex(@"\[(?<text>[^\]]+)\]\(\.\./\.\./(?<file>[^)]+)\)")]
    private static partial Regex Link();
}
