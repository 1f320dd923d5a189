using System.Diagnostics.CodeAnalysis;

namespace CoAP.Tool.Serving;

/// <summary>Finds files below one folder by the path of a request. No path leads out of the folder or to a hidden file.</summary>
/// <remarks>
/// A segment of a path is one name, whatever it contains. Names that begin with "." are hidden, "." and ".." among them, and so are private keys
/// (<see cref="PrivateKeys"/>). A symbolic link is followed if its target is in the folder and not hidden.
/// </remarks>
internal sealed class ServedFolder
{
    private static readonly char[] Forbidden = [.. Path.GetInvalidFileNameChars(), Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar, '\0'];

    /// <param name="path">The folder.</param>
    /// <exception cref="DirectoryNotFoundException">There is no such folder.</exception>
    public ServedFolder(string path)
    {
        if (!Directory.Exists(path)) { throw new DirectoryNotFoundException($"There is no folder '{path}'."); }
        Root = RealPath.Of(Path.GetFullPath(path)) ?? throw new DirectoryNotFoundException($"The symbolic links of '{path}' form a loop.");
        Root = Path.TrimEndingDirectorySeparator(Root);
    }

    /// <summary>The absolute path of the folder, without symbolic links.</summary>
    public string Root { get; }

    /// <summary>Whether a file of this name is served.</summary>
    public static bool IsVisible(string name) =>
        name.Length > 0 && name[0] != '.' && !PrivateKeys.IsNameOfOne(name) && name.IndexOfAny(Forbidden) < 0 && !name.Contains('\uFFFD', StringComparison.Ordinal);

    /// <summary>Returns the place of a path, whether or not a file is there. A last, empty segment names a folder.</summary>
    /// <param name="segments">The segments of the path, not percent-encoded.</param>
    /// <param name="path">The absolute path, without symbolic links.</param>
    public bool TryLocate(string[] segments, [NotNullWhen(true)] out string? path)
    {
        path = null;
        var names = segments is [.. var before, ""] ? before : segments;
        if (!names.All(IsVisible)) { return false; }
        var place = Path.Combine([Root, .. names]);
        // On Windows, several texts name one file, such as "a" and "a.", or a device, such as "NUL".
        if (Path.GetFullPath(place) != place || RealPath.Of(place) is not { } real || !IsServed(real)) { return false; }
        path = real;
        return true;
    }

    // A link may lead to a hidden file of the folder.
    private bool IsServed(string real)
    {
        if (real == Root) { return true; }
        var prefix = Path.EndsInDirectorySeparator(Root) ? Root : Root + Path.DirectorySeparatorChar;
        return real.StartsWith(prefix, StringComparison.Ordinal) && real[prefix.Length..].Split(Path.DirectorySeparatorChar).All(IsVisible);
    }
}
