using CoAP.Options;

namespace CoAP.Tool.Serving;

/// <summary>Opens files to serve them.</summary>
internal static class ServedFile
{
    private const FileShare AllowAll = FileShare.ReadWrite | FileShare.Delete;

    /// <summary>
    /// Opens a file; returns <see langword="null"/> if there is none, or if it is empty. Named pipes and devices count as empty: opening one could block.
    /// </summary>
    public static FileStream? OpenRead(string path)
    {
        try
        {
            return new FileInfo(path) is { Exists: true, Length: > 0 } ? new FileStream(path, FileMode.Open, FileAccess.Read, AllowAll, bufferSize: 0) : null;
        }
        catch (Exception exception) when (exception is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;      // deleted meanwhile
        }
    }

    /// <summary>Returns the tag of a file; <see langword="null"/> if there is none.</summary>
    public static ETag? TagOf(string path)
    {
        using var file = OpenRead(path);
        return file is not null ? FileTag.Of(file) : File.Exists(path) ? Empty : null;
    }

    /// <summary>
    /// Returns a value that changes with a file, or with the names in a folder; <see langword="null"/> if there is none. A folder has no tag, because its list
    /// contains the sizes of files, too.
    /// </summary>
    public static ETag? StateOf(string path) =>
        Directory.Exists(path) ? new ETag(BitConverter.GetBytes(Directory.GetLastWriteTimeUtc(path).Ticks)) : TagOf(path);

    /// <summary>The tag of an empty file.</summary>
    public static ETag Empty { get; } = new(new byte[] { 0 });
}
