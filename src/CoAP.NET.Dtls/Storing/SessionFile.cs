using System.Buffers.Binary;
using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>A file to which sessions are appended, and which has one owner at a time: the process that has taken it over last.</summary>
/// <remarks>
/// A new owner replaces the file and writes a new random number at its start. An earlier owner that still runs, for example because it was suspended, finds a
/// number that is not its own and stops writing. Not safe for concurrent use.
/// </remarks>
internal sealed class SessionFile(string path, SecretBox box, string? generationPath = null) : IDisposable
{
    private const byte EarlierVersion = 2, Version = 3;        // which has the number of take-overs
    private const int OwnerLength = 16, CountLength = sizeof(long);

    private readonly byte[] _head = [.. Magic, Version, .. RandomNumberGenerator.GetBytes(OwnerLength), .. new byte[CountLength]];
    private readonly TakeOverCount _count = new(generationPath ?? path + ".generation");
    private FileStream? _file;
    private int _blocks;
    private bool _isTakenOver;

    /// <summary>Whether this process has taken over the file, and has not noticed that another one has done so since.</summary>
    public bool IsOpen => _file is not null;

    private static ReadOnlySpan<byte> Magic => "CoAPDTLS"u8;

    private static int EarlierHeadLength => Magic.Length + sizeof(byte) + OwnerLength;

    private static int HeadLength => EarlierHeadLength + CountLength;

    /// <summary>
    /// Reads the file of any owner and replaces it, while no other process can do the same. The new content is on the disk when the method
    /// returns.
    /// </summary>
    /// <param name="write">Writes the new content. Gets the sessions of the file.</param>
    /// <exception cref="IOException">The file cannot be read or written, or is not such a file.</exception>
    /// <exception cref="CryptographicException">The secret is another one, or the file was changed.</exception>
    public void TakeOver(Action<SessionBlocks, IReadOnlyCollection<DtlsSessionState>> write)
    {
        using var only = PrivateFile.Lock(path);
        var sessions = Read(out var found);
        var count = _count.After(path, found);
        BinaryPrimitives.WriteInt64LittleEndian(_head.AsSpan(EarlierHeadLength), count);
        Write(target => write(target, sessions.Values));
        // After the file: if the process ends between the two, the file is the newer one.
        _count.Write(count);
    }

    /// <summary>Replaces the file of this process by one without outdated entries. It is on the disk when the method returns.</summary>
    /// <inheritdoc cref="TakeOver" path="/param"/>
    /// <exception cref="IOException">The file cannot be read or written, or another process has taken it over.</exception>
    /// <exception cref="CryptographicException">The file was changed.</exception>
    public void Compact(Action<SessionBlocks, IReadOnlyCollection<DtlsSessionState>> write)
    {
        using var only = PrivateFile.Lock(path);
        ThrowIfTakenOver();
        var sessions = Read(out _);
        Write(target => write(target, sessions.Values));
    }

    /// <summary>Appends sessions. They are on the disk when the method returns.</summary>
    /// <exception cref="IOException">The file cannot be written, or another process has taken it over.</exception>
    public void Append(Action<SessionBlocks> write)
    {
        ThrowIfTakenOver();
        using var bytes = new MemoryStream();
        var (file, blocks, end) = (_file!, Write(bytes, _blocks, write), _file!.Position);
        try
        {
            bytes.WriteTo(file);
            file.Flush(flushToDisk: true);
            _blocks = blocks;
        }
        catch
        {
            CutTo(end);
            throw;
        }
    }

    /// <exception cref="IOException">The file is not open.</exception>
    public void ThrowIfNotOpen()
    {
        if (_isTakenOver) { throw new IOException($"Another process has taken over {path}. This one stores no more sessions."); }
        if (_file is null) { throw new IOException($"{path} is not open: no endpoint has started with it, or it could not be taken over. Sessions are not stored."); }
    }

    public void Dispose()
    {
        _file?.Dispose();
        _file = null;
    }

    private void Write(Action<SessionBlocks> write)
    {
        var blocks = 0;
        var next = PrivateFile.Replace(path, file =>
        {
            file.Write(_head);
            blocks = Write(file, 0, write);
        });
        _file?.Dispose();
        (_file, _blocks, _isTakenOver) = (next, blocks, false);
    }

    private int Write(Stream target, int first, Action<SessionBlocks> write)
    {
        using var blocks = new SessionBlocks(box, _head, target, first);
        write(blocks);
        blocks.EndBlock();
        return blocks.Number;
    }

    private Dictionary<string, DtlsSessionState> Read(out long? count)
    {
        count = null;
        var sessions = new Dictionary<string, DtlsSessionState>(StringComparer.Ordinal);
        using var stream = PrivateFile.OpenRead(path);
        if (stream is null) { return sessions; }
        var file = new byte[stream.Length];
        stream.ReadExactly(file);
        if (file.Length < EarlierHeadLength || !file.AsSpan().StartsWith(Magic)) { throw new IOException($"{path} is not a file of DTLS sessions."); }
        var version = file[Magic.Length];
        if (version is not (EarlierVersion or Version)) { throw new IOException($"{path} has format {version}; this version reads {EarlierVersion} and {Version}."); }
        if (version == Version && file.Length < HeadLength) { throw new IOException($"{path} is not a file of DTLS sessions."); }
        count = version == Version ? BinaryPrimitives.ReadInt64LittleEndian(file.AsSpan(EarlierHeadLength)) : 0;
        SessionBlocks.Read(box, file, version == Version ? HeadLength : EarlierHeadLength, sessions);
        return sessions;
    }

    private void ThrowIfTakenOver()
    {
        ThrowIfNotOpen();
        Span<byte> head = stackalloc byte[HeadLength];
        using (var stream = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0))
        {
            if (stream.ReadAtLeast(head, head.Length, throwOnEndOfStream: false) == head.Length && head.SequenceEqual(_head)) { return; }
        }
        Dispose();
        _isTakenOver = true;
        ThrowIfNotOpen();
    }

    // What follows half a block could not be read. If it cannot be removed, nothing more is written.
    private void CutTo(long end)
    {
        try { _file!.SetLength(end); }
        catch (IOException) { Dispose(); }
    }
}
