using System.Globalization;
using CoAP.Discovery;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Serving;

/// <summary>Lists files as links (RFC 6690): those of one folder, or of the whole tree for "/.well-known/core". Bounded.</summary>
/// <remarks>
/// Safe for concurrent use. To list all files means to read all folders, which anyone can ask for with one small datagram. So the list is kept for a second,
/// or for ten times as long as it took: at most a tenth of one processor works on it.
/// </remarks>
internal sealed class FolderListing(ServedFolder folder, TimeProvider time)
{
    /// <summary>The most links of a list. Further files are served, but not listed.</summary>
    public const int MaxLinks = 1000;

    private const int CostFactor = 10;
    private const int MaxDepth = 16;
    private const int MaxFolders = 1000;
    private const int MaxEntries = 10_000;

    private static readonly TimeSpan LeastAge = TimeSpan.FromSeconds(1);

    private static readonly EnumerationOptions Names = new() { IgnoreInaccessible = true, AttributesToSkip = 0, ReturnSpecialDirectories = false };

    private readonly Lock _gate = new();
    private IReadOnlyList<WebLink>? _tree;
    private long _readAt;
    private TimeSpan _age;

    /// <summary>Lists the files and folders of one folder, by name.</summary>
    /// <param name="path">The absolute path of the folder.</param>
    public IReadOnlyList<WebLink> Of(string path) =>
        [.. Entries(path, SegmentsOf(path)).Select(static entry => entry.Link).Take(MaxLinks)];

    /// <summary>Lists all files, those of upper folders first. The list may be a second old.</summary>
    public IReadOnlyList<WebLink> OfTree()
    {
        // A request that arrives while the list is made waits for it, instead of making another.
        lock (_gate)
        {
            var now = time.GetTimestamp();
            if (_tree is not null && time.GetElapsedTime(_readAt, now) < _age) { return _tree; }
            _tree = ReadTree();
            _readAt = time.GetTimestamp();
            var took = time.GetElapsedTime(now, _readAt) * CostFactor;
            _age = took > LeastAge ? took : LeastAge;
            return _tree;
        }
    }

    private List<WebLink> ReadTree()
    {
        var links = new List<WebLink>();
        var folders = new Queue<(string Path, string[] Segments)>([(folder.Root, [])]);
        for (var visited = 0; links.Count < MaxLinks && visited < MaxFolders && folders.TryDequeue(out var next); visited++)
        {
            foreach (var entry in Entries(next.Path, next.Segments))
            {
                if (links.Count == MaxLinks) { break; }
                if (!entry.IsFolder) { links.Add(entry.Link); }
                // A link to a folder could form a circle, and its files have paths of their own.
                else if (!entry.IsLink && entry.Segments.Length < MaxDepth) { folders.Enqueue((entry.Path, entry.Segments)); }
            }
        }
        return links;
    }

    private IEnumerable<Entry> Entries(string path, string[] segments)
    {
        // The names are sorted, so that a list stays the same as long as the folder does. Only names are kept of a folder with many files.
        var names = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var place in Directory.EnumerateFileSystemEntries(path, "*", Names).Take(MaxEntries))
        {
            var name = Path.GetFileName(place);
            if (ServedFolder.IsVisible(name)) { names.Add(name); }
            if (names.Count > MaxLinks) { names.Remove(names.Max!); }
        }
        foreach (var name in names)
        {
            if (Describe(Path.Combine(path, name), [.. segments, name]) is { } entry) { yield return entry; }
        }
    }

    private Entry? Describe(string path, string[] segments)
    {
        var isLink = new FileInfo(path).LinkTarget is not null;
        if (isLink && !folder.TryLocate(segments, out path!)) { return null; }
        var target = "/" + string.Join('/', segments.Select(Uri.EscapeDataString));
        if (Directory.Exists(path))
        {
            return new(path, segments, IsFolder: true, isLink, new WebLink(target + "/", new LinkAttribute("ct", Text(ContentFormats.LinkFormat))));
        }
        var file = new FileInfo(path);
        if (!file.Exists || (PrivateKeys.IsNameOfCertificate(file.Name) && PrivateKeys.AreIn(path))) { return null; }
        LinkAttribute[] attributes = [new("ct", Text(FileFormat.Of(path))), new("sz", Text(file.Length)), new("obs")];
        return new(path, segments, IsFolder: false, isLink, new WebLink(target, attributes));
    }

    private string[] SegmentsOf(string path) => path == folder.Root ? [] : Path.GetRelativePath(folder.Root, path).Split(Path.DirectorySeparatorChar);

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private sealed record Entry(string Path, string[] Segments, bool IsFolder, bool IsLink, WebLink Link);
}
