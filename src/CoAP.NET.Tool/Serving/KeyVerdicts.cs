namespace CoAP.Tool.Serving;

/// <summary>Remembers which files contain private keys, so that a file is not searched for each block that is read. Bounded.</summary>
/// <remarks>Safe for concurrent use.</remarks>
/// <param name="time">The clock.</param>
internal sealed class KeyVerdicts(TimeProvider time)
{
    /// <summary>The most files. With more, all are searched anew.</summary>
    public const int MaxFiles = 1000;

    // Some systems count file times in steps of up to two seconds. A file that was just written may be written again and keep its time.
    private static readonly TimeSpan TimeStep = TimeSpan.FromSeconds(3);

    private readonly Lock _gate = new();
    private readonly Dictionary<string, Verdict> _files = new(StringComparer.Ordinal);

    public int Count
    {
        get
        {
            lock (_gate) { return _files.Count; }
        }
    }

    /// <summary>Whether a file contains a private key in PEM form. A file that cannot be read contains none.</summary>
    /// <param name="path">The absolute path of the file, without symbolic links.</param>
    public bool AreIn(string path)
    {
        try
        {
            using var file = ServedFile.OpenRead(path);
            if (file is null) { return false; }
            var (length, writtenAt) = (file.Length, File.GetLastWriteTimeUtc(file.SafeFileHandle));
            lock (_gate)
            {
                if (_files.TryGetValue(path, out var known) && known.Length == length && known.WrittenAt == writtenAt)
                {
                    return known.HasKeys;
                }
            }
            var hasKeys = PrivateKeys.AreIn(file);
            if (time.GetUtcNow().UtcDateTime - writtenAt > TimeStep) { Add(path, new Verdict(length, writtenAt, hasKeys)); }
            return hasKeys;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    private void Add(string path, in Verdict verdict)
    {
        lock (_gate)
        {
            if (_files.Count >= MaxFiles) { _files.Clear(); }
            _files[path] = verdict;
        }
    }

    private readonly record struct Verdict(long Length, DateTime WrittenAt, bool HasKeys);
}
