using System.Text;

namespace CoAP.Observing;

/// <summary>Reads and replaces the text file of a store. Only the owner can read a file that it has written. It does not follow symbolic links.</summary>
internal static class StoreFile
{
    /// <summary>The size of the largest file, in bytes.</summary>
    public const long MaxSize = 64 << 20;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <summary>Reads a file, or returns <see langword="null"/> if it does not exist.</summary>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is too large.</exception>
    public static StreamReader? Open(string path)
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null) { throw new IOException($"{path} is a symbolic link. A store does not follow links."); }
        DeleteUnfinished(file);
        // A named pipe, which could block the call, and most devices have the length 0.
        if (!file.Exists || file.Length == 0) { return null; }
        using var stream = file.Open(FileMode.Open, FileAccess.Read, FileShare.Read);
        var length = stream.Length;
        if (length > MaxSize) { throw new IOException($"{path} is larger than {MaxSize} bytes, so it cannot be the file of a store."); }
        // At most this many bytes are read, because the file may grow meanwhile, and a device may never end.
        var bytes = new byte[length];
        var count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        return new StreamReader(new MemoryStream(bytes, 0, count), Utf8);
    }

    /// <summary>Returns the size of a line in the file, in bytes.</summary>
    public static int SizeOf(string line) => Utf8.GetByteCount(line) + Environment.NewLine.Length;

    /// <summary>Replaces a file in one step. A symbolic link at the path is replaced, not followed.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Replace(string path, IEnumerable<string> lines)
    {
        // Other users can neither guess the name nor create the file in advance: CreateNew fails if the file exists.
        var next = $"{path}.{Path.GetRandomFileName()}.new";
        try
        {
            using (var file = new FileStream(next, OwnerOnly()))
            {
                using var text = new StreamWriter(file, Utf8, leaveOpen: true);
                foreach (var line in lines) { text.WriteLine(line); }
                text.Flush();
                // If the rename reached the disk before the content, a crash would leave an empty file.
                file.Flush(flushToDisk: true);
            }
            File.Move(next, path, overwrite: true);
        }
        catch
        {
            File.Delete(next);
            throw;
        }
    }

    // A process that was killed while it was writing has left its new file. The pattern matches the names of Path.GetRandomFileName.
    private static void DeleteUnfinished(FileInfo file)
    {
        if (file.Directory is not { Exists: true } folder) { return; }
        File.Delete(file.FullName + ".new");    // the name that earlier versions used
        foreach (var left in folder.EnumerateFiles($"{file.Name}.????????.???.new")) { left.Delete(); }
    }

    private static FileStreamOptions OwnerOnly()
    {
        var options = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write, Share = FileShare.None };
        if (!OperatingSystem.IsWindows()) { options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; }
        return options;
    }
}
