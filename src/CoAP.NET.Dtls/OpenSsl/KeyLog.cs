using System.Text;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Writes the secrets of sessions to a file, in the format that Wireshark reads. Safe for concurrent use.</summary>
internal sealed class KeyLog : IDisposable
{
    private static readonly Lock Gate = new();      // several endpoints can write to the same file

    private readonly FileStream _file;

    private KeyLog(FileStream file) => _file = file;

    /// <summary>Opens the file and keeps what it contains; returns <see langword="null"/> without a path.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static KeyLog? Open(string? path)
    {
        if (path is null) { return null; }
        var options = new FileStreamOptions { Mode = FileMode.OpenOrCreate, Access = FileAccess.Write, Share = FileShare.ReadWrite, BufferSize = 0 };
        // Anyone who can read the file can decrypt the traffic.
        if (!OperatingSystem.IsWindows()) { options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite; }
        try { return new KeyLog(new FileStream(path, options)); }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new IOException($"The file of DtlsSettings.KeyLogFile, {path}, cannot be opened for writing: {exception.Message}", exception);
        }
    }

    /// <summary>Writes the secret of a session.</summary>
    public void Write(ReadOnlySpan<byte> clientRandom, ReadOnlySpan<byte> masterSecret)
    {
        var line = Encoding.ASCII.GetBytes($"CLIENT_RANDOM {Convert.ToHexStringLower(clientRandom)} {Convert.ToHexStringLower(masterSecret)}\n");
        lock (Gate)
        {
            _file.Seek(0, SeekOrigin.End);
            _file.Write(line);
        }
    }

    public void Dispose()
    {
        lock (Gate) { _file.Dispose(); }
    }
}
