namespace CoAP.Tool.Serving;

/// <summary>Follows symbolic links as the system does.</summary>
internal static class RealPath
{
    private const int MaxLinks = 40;      // as Linux

    /// <summary>Resolves the symbolic links of a path. Parts that do not exist stay unchanged. Returns <see langword="null"/> if the links form a loop.</summary>
    /// <param name="path">An absolute path.</param>
    public static string? Of(string path)
    {
        var root = Path.GetPathRoot(path)!;
        var (current, links) = (root, 0);
        var pending = new Stack<string>();
        Push(pending, path[root.Length..]);
        while (pending.TryPop(out var name))
        {
            // A link may point upwards, so ".." is applied after the links before it are resolved.
            if (name == "..")
            {
                current = Path.GetDirectoryName(current) ?? current;
                continue;
            }
            var next = Path.Combine(current, name);
            if (new FileInfo(next).LinkTarget is not { } target)
            {
                current = next;
                continue;
            }
            if (++links > MaxLinks) { return null; }
            var targetRoot = Path.GetPathRoot(target) ?? "";
            if (targetRoot.Length > 0) { current = targetRoot; }
            Push(pending, target[targetRoot.Length..]);
        }
        return current;
    }

    private static void Push(Stack<string> pending, string path)
    {
        var names = path.Split([Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar], StringSplitOptions.RemoveEmptyEntries);
        for (var index = names.Length - 1; index >= 0; index--)
        {
            if (names[index] != ".") { pending.Push(names[index]); }
        }
    }
}
