using CoAP.Vocabulary;

namespace CoAP;

/// <summary>
/// Reads and replaces the file of a store. Only the owner can read a file that was written. Symbolic links are not followed, so that nobody can redirect the store
/// to another file.
/// </summary>
/// <remarks>A store reads its file with <see cref="OpenRead"/> when it starts. Only one process may use a file at a time, unless it holds <see cref="Lock"/>.</remarks>
public static class PrivateFile
{
    private const string Unfinished = ".new";

    /// <summary>
    /// Opens a file for reading, and deletes what a process has left that was killed while it was replacing the file. Returns <see langword="null"/> if the file
    /// does not exist or is empty.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <exception cref="IOException">The file cannot be read, or is a symbolic link.</exception>
    public static FileStream? OpenRead(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        var file = new FileInfo(path);
        if (file.LinkTarget is not null) { throw new IOException($"{path} is a symbolic link. A store does not follow links."); }
        DeleteUnfinished(file);
        // A named pipe, which could block the call, and most devices have the length 0.
        return file.Exists && file.Length > 0 ? file.Open(FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete) : null;
    }

    /// <summary>
    /// Replaces a file in one step: after a crash, either the earlier or the new content is there. The new content is on the disk when the method returns. A
    /// symbolic link at the path is replaced, not followed.
    /// </summary>
    /// <param name="path">The file.</param>
    /// <param name="write">Writes the content.</param>
    /// <returns>The new file. More can be appended to it.</returns>
    /// <exception cref="IOException">The file cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public static FileStream Replace(string path, Action<FileStream> write)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        ArgumentNullException.ThrowIfNull(write);
        // Other users can neither guess the name nor create the file in advance: CreateNew fails if the file exists.
        var next = $"{path}.{Path.GetRandomFileName()}{Unfinished}";
        FileStream? file = null;
        try
        {
            file = Open(next, FileMode.CreateNew, FileShare.Read | FileShare.Delete);
            write(file);
            // If the rename reached the disk before the content, a crash would leave an empty file.
            FolderSync.Traced?.Invoke($"sync {Path.GetFullPath(next)}");
            file.Flush(flushToDisk: true);
            Move(next, path);
            return file;
        }
        catch
        {
            file?.Dispose();
            File.Delete(next);
            throw;
        }
    }

    /// <summary>
    /// Gives a file the name of another one, which it replaces, in one step. The names are on the disk when the method returns: after a power failure, the file
    /// still has its new name.
    /// </summary>
    /// <param name="from">The file. Its content must be on the disk.</param>
    /// <param name="to">Its new name, in the same folder.</param>
    /// <param name="overwrite">Whether a file with the new name may be replaced. Default: <see langword="true"/>.</param>
    /// <exception cref="IOException">The file cannot be renamed, or the folder cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public static void Move(string from, string to, bool overwrite = true)
    {
        ArgumentException.ThrowIfNullOrEmpty(from);
        ArgumentException.ThrowIfNullOrEmpty(to);
        FolderSync.Traced?.Invoke($"move {Path.GetFullPath(from)} {Path.GetFullPath(to)}");
        File.Move(from, to, overwrite);
        FolderSync.Sync(to);
    }

    /// <summary>Prevents other processes that call this method from using a file, until the result is disposed. The lock is a file beside it.</summary>
    /// <param name="path">The file.</param>
    /// <exception cref="IOException">Another process holds the lock, or the folder cannot be written.</exception>
    /// <exception cref="UnauthorizedAccessException">The folder cannot be written.</exception>
    public static IDisposable Lock(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return Open(path + ".lock", FileMode.OpenOrCreate, FileShare.None);
    }

    // The pattern matches the names of Path.GetRandomFileName.
    private static void DeleteUnfinished(FileInfo file)
    {
        if (file.Directory is not { Exists: true } folder) { return; }
        File.Delete(file.FullName + Unfinished);    // the name that earlier versions used
        foreach (var left in folder.EnumerateFiles($"{file.Name}.????????.???{Unfinished}")) { left.Delete(); }
    }

    private static FileStream Open(string path, FileMode mode, FileShare share)
    {
        var options = new FileStreamOptions { Mode = mode, Access = FileAccess.ReadWrite, Share = share };
        if (!OperatingSystem.IsWindows()) { options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; }
        return new FileStream(path, options);
    }
}
