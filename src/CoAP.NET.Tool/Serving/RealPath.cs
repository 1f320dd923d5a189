namespace CoAP.Tool.Serving;

/// <summary>Follows symbolic links as the system does.</summary>
internal static class RealPath
{
    private const int MaxLinks = 40;      // as Linux

    /// <summary>Resolves the symbolic links of a path. Parts that do not exist stay unchanged. Returns <see langword="null"/> if the links form a loop.</summary>
    /// <param name="path">An absolute path.</param>
    /// <param name="look">Looks up a place, for tests. Default: in the file system.</param>
    /// <remarks>
    /// The system is asked once for each part that exists, and once for the first that does not. So the length of a path that a client invents costs nothing.
    /// </remarks>
    public static string? Of(string path, Func<string, Place>? look = null)
    {
        look ??= Look;
        var root = Path.GetPathRoot(path)!;
        var (current, links, isMissing) = (root, 0, false);
        var pending = new Stack<string>();
        Push(pending, path[root.Length..]);
        while (pending.TryPop(out var name))
        {
            // A link may point upwards, so ".." is applied after the links before it are resolved. It may lead back to a place that exists.
            if (name == "..")
            {
                (current, isMissing) = (Path.GetDirectoryName(current) ?? current, false);
                continue;
            }
            var next = Path.Combine(current, name);
            var place = isMissing ? default : look(next);
            if (place.LinkTarget is not { } target)
            {
                (current, isMissing) = (next, !place.Exists);
                continue;
            }
            if (++links > MaxLinks) { return null; }
            var targetRoot = Path.GetPathRoot(target) ?? "";
            if (targetRoot.Length > 0) { current = targetRoot; }
            Push(pending, target[targetRoot.Length..]);
        }
        return current;
    }

    private static Place Look(string path)
    {
        try
        {
            var file = new FileInfo(path);
            var attributes = file.Attributes;
            return (int)attributes == -1 ? default : new(Exists: true, attributes.HasFlag(FileAttributes.ReparsePoint) ? file.LinkTarget : null);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return default;      // nor can anything below it be opened
        }
    }

    private static void Push(Stack<string> pending, string path)
    {
        var names = path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
        for (var index = names.Length - 1; index >= 0; index--)
        {
            if (names[index] != ".") { pending.Push(names[index]); }
        }
    }

    /// <summary>What is at a place of the file system.</summary>
    /// <param name="Exists">Whether anything is there.</param>
    /// <param name="LinkTarget">The target of a symbolic link; <see langword="null"/> if it is none.</param>
    internal readonly record struct Place(bool Exists, string? LinkTarget);
}
