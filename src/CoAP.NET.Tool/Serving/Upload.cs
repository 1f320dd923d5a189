namespace CoAP.Tool.Serving;

/// <summary>Replaces a file in one step by the body of a request: readers see the old content or the new one, never a part.</summary>
internal static class Upload
{
    // The leading dot hides the file until it is complete.
    private const string Prefix = ".coap-upload-";

    // Bounds the time that a large tree costs when the server starts.
    private const int MostSearched = 100_000;

    private static readonly EnumerationOptions WholeTree =
        new() { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };

    /// <summary>
    /// Deletes what uploads have left in a folder and those in it because the server was killed. Uploads of a running server stay.
    /// </summary>
    public static void DeleteUnfinished(string folder)
    {
        foreach (var path in Directory.EnumerateFiles(folder, "*", WholeTree).Take(MostSearched))
        {
            if (!Path.GetFileName(path).StartsWith(Prefix, StringComparison.Ordinal) || SpecialFile.IsAt(path)) { continue; }
            try
            {
                // The server that writes it holds a lock, which ends with the server.
                new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.None).Dispose();
                File.Delete(path);
            }
            catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
            {
                // Another server writes it, or the system does not permit it. It is hidden and does no harm.
            }
        }
    }

    /// <summary>Reads a body and replaces the file.</summary>
    /// <exception cref="CoapTransferException">The client gave up. Nothing is left of the body.</exception>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static async Task ReplaceAsync(string path, Stream body, CancellationToken cancellationToken)
    {
        var unfinished = Path.Combine(Path.GetDirectoryName(path)!, Prefix + Path.GetRandomFileName());
        try
        {
            var file = new FileStream(unfinished, FileMode.CreateNew, FileAccess.Write, FileShare.None);
            KeepMode(path, unfinished);
            await using (file.ConfigureAwait(false))
            {
                await body.CopyToAsync(file, cancellationToken).ConfigureAwait(false);
                file.Flush(flushToDisk: true);
            }
            MakeNewer(unfinished, path);
            PrivateFile.Move(unfinished, path);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }

    // A file that only its owner may read stays so.
    private static void KeepMode(string current, string next)
    {
        if (!OperatingSystem.IsWindows() && File.Exists(current)) { File.SetUnixFileMode(next, File.GetUnixFileMode(current)); }
    }

    // The clock of the file system may not have moved since the last change. The entity tag needs another time.
    private static void MakeNewer(string next, string current)
    {
        var (file, old) = (new FileInfo(next), new FileInfo(current));
        if (old.Exists && old.Length == file.Length && old.LastWriteTimeUtc >= file.LastWriteTimeUtc)
        {
            file.LastWriteTimeUtc = old.LastWriteTimeUtc.AddTicks(1);
        }
    }
}
