using System.Globalization;
using CoAP.Discovery;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Serving;

/// <summary>Lists files as links (RFC 6690): those of one folder, or of the whole tree for "/.well-known/core". Bounded.</summary>
/// <remarks>
/// Safe for concurrent use. Lists are kept (<see cref="KeptList"/>): that of the tree, and those of the folders that were asked for last.
/// The list of a folder is read again as soon as its names change.
/// </remarks>
internal sealed class FolderListing
{
    /// <summary>The most links of a list. Further files are served, but not listed.</summary>
    public const int MaxLinks = 1000;

    private const int MaxKept = 1000;
    private const int MaxKeptLinks = 20_000;
    private const int MaxDepth = 16;
    private const int MaxFolders = 1000;
    private const int MaxEntries = 10_000;

    private static readonly EnumerationOptions Names = new() { IgnoreInaccessible = true, AttributesToSkip = 0, ReturnSpecialDirectories = false };

    private readonly Lock _gate = new();
    private readonly ServedFolder _folder;
    private readonly TimeProvider _time;
    private readonly KeptList _tree;
    private readonly Dictionary<string, KeptList> _kept = new(StringComparer.Ordinal);
    private readonly Queue<string> _order = new();      // of the folders in the dictionary, the oldest first

    /// <param name="folder">The folder that is served.</param>
    /// <param name="time">The clock.</param>
    public FolderListing(ServedFolder folder, TimeProvider time)
    {
        (_folder, _time) = (folder, time);
        _tree = new KeptList(ReadTree, state: null, time);
    }

    /// <summary>Lists the files and folders of one folder, by name. The sizes of files may be a second old.</summary>
    /// <param name="path">The absolute path of the folder, which exists.</param>
    public LinkList Of(string path) => KeptOf(path).Get();

    /// <summary>Lists all files, those of upper folders first. The list may be a second old.</summary>
    public LinkList OfTree() => _tree.Get();

    private KeptList KeptOf(string path)
    {
        lock (_gate)
        {
            if (_kept.TryGetValue(path, out var known)) { return known; }
            // Small folders cost little to read, so their lists take little room here.
            while (_order.Count >= MaxKept || _kept.Values.Sum(static one => one.Count) > MaxKeptLinks) { _kept.Remove(_order.Dequeue()); }
            var list = new KeptList(() => ReadFolder(path), () => ServedFile.StateOf(path), _time);
            _kept.Add(path, list);
            _order.Enqueue(path);
            return list;
        }
    }

    private List<WebLink> ReadFolder(string path) => [.. Entries(path, SegmentsOf(path)).Select(static entry => entry.Link).Take(MaxLinks)];

    private List<WebLink> ReadTree()
    {
        var links = new List<WebLink>();
        var folders = new Queue<(string Path, string[] Segments)>([(_folder.Root, [])]);
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
        if (isLink && !_folder.TryLocate(segments, out path!)) { return null; }
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

    private string[] SegmentsOf(string path) =>
        path == _folder.Root ? [] : Path.GetRelativePath(_folder.Root, path).Split(Path.DirectorySeparatorChar);

    private static string Text(long number) => number.ToString(CultureInfo.InvariantCulture);

    private sealed record Entry(string Path, string[] Segments, bool IsFolder, bool IsLink, WebLink Link);
}
