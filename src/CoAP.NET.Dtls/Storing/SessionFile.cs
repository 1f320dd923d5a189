using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>A file to which entries are appended, and which has one owner at a time: the process that has taken it over last.</summary>
/// <remarks>
/// A new owner replaces the file and writes another random number at its start. An earlier owner that still runs, for example because it was suspended, finds
/// another number and writes no more. Not safe for concurrent use.
/// </remarks>
internal sealed class SessionFile(string path) : IDisposable
{
    private const int OwnerLength = 16, MaxEntry = 1 << 16, LeastOutdated = 1000;

    private readonly byte[] _owner = RandomNumberGenerator.GetBytes(OwnerLength);
    private FileStream? _file;
    private int _entries;

    private static ReadOnlySpan<byte> Magic => "CoAPdtls"u8;

    private static int HeadLength => Magic.Length + OwnerLength;

    /// <summary>Reads all entries and replaces them, while no other process can do the same. The new entries are on the disk when the method returns.</summary>
    /// <param name="replace">Returns the new entries.</param>
    /// <exception cref="IOException">The file cannot be read or written, or is not such a file.</exception>
    public void TakeOver(Func<IEnumerable<byte[]>, IEnumerable<byte[]>> replace)
    {
        using var only = Lock();
        Replace(replace(Read()));
    }

    /// <summary>Appends entries.</summary>
    /// <exception cref="IOException">The file cannot be written, or another process has taken it over.</exception>
    public void Append(IReadOnlyCollection<byte[]> entries)
    {
        if (entries.Count == 0) { return; }
        ThrowIfTakenOver();
        var bytes = new MemoryStream();
        foreach (var entry in entries) { Write(bytes, entry); }
        bytes.WriteTo(_file!);
        _file!.Flush();
        _entries += entries.Count;
    }

    /// <summary>Returns whether more than a third of the entries are outdated.</summary>
    public bool IsOutdated(int current) => _entries > LeastOutdated + (3L * current / 2);

    /// <summary>Replaces all entries.</summary>
    /// <exception cref="IOException">The file cannot be written, or another process has taken it over.</exception>
    public void Rewrite(IEnumerable<byte[]> entries)
    {
        using var only = Lock();
        ThrowIfTakenOver();
        Replace(entries);
    }

    public void Dispose() => _file?.Dispose();

    private static FileStreamOptions OwnerOnly(FileMode mode)
    {
        var options = new FileStreamOptions { Mode = mode, Access = FileAccess.ReadWrite, Share = FileShare.Read };
        if (!OperatingSystem.IsWindows()) { options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; }
        return options;
    }

    private static void Write(Stream stream, byte[] entry)
    {
        Span<byte> length = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32BigEndian(length, entry.Length);
        stream.Write(length);
        stream.Write(entry);
    }

    // An entry that a crash has cut off ends the file.
    private IEnumerable<byte[]> Read()
    {
        var file = new FileInfo(path);
        if (file.LinkTarget is not null) { throw new IOException($"{path} is a symbolic link. A store does not follow links."); }
        if (!file.Exists || file.Length == 0) { yield break; }
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite, 1 << 16);
        var head = new byte[HeadLength];
        if (stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) < head.Length || !head.AsSpan().StartsWith(Magic))
        {
            throw new IOException($"{path} is not a file of DTLS sessions.");
        }
        var length = new byte[sizeof(int)];
        while (stream.ReadAtLeast(length, length.Length, throwOnEndOfStream: false) == length.Length)
        {
            var size = BinaryPrimitives.ReadInt32BigEndian(length);
            if (size is < 1 or > MaxEntry) { yield break; }
            var entry = new byte[size];
            if (stream.ReadAtLeast(entry, size, throwOnEndOfStream: false) < size) { yield break; }
            yield return entry;
        }
    }

    private void Replace(IEnumerable<byte[]> entries)
    {
        var next = $"{path}.{Path.GetRandomFileName()}.new";
        try
        {
            var file = new FileStream(next, OwnerOnly(FileMode.CreateNew));
            _file?.Dispose();
            (_file, _entries) = (file, 0);
            file.Write([.. Magic, .. _owner]);
            foreach (var entry in entries)
            {
                Write(file, entry);
                _entries++;
            }
            // If the rename reached the disk before the content, a crash would leave an empty file.
            file.Flush(flushToDisk: true);
            File.Move(next, path, overwrite: true);
        }
        catch
        {
            File.Delete(next);
            throw;
        }
    }

    private void ThrowIfTakenOver()
    {
        if (_file is null) { throw new IOException($"{path} is not open. Start the endpoint before it stores sessions."); }
        Span<byte> head = stackalloc byte[HeadLength];
        using var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        if (stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) < head.Length || !head[Magic.Length..].SequenceEqual(_owner))
        {
            throw new IOException($"Another process has taken over {path}. This one stores no more sessions.");
        }
    }

    // Held for milliseconds, and only when a file is replaced.
    private FileStream Lock()
    {
        var options = OwnerOnly(FileMode.OpenOrCreate);
        options.Share = FileShare.None;
        return new FileStream(path + ".lock", options);
    }
}
