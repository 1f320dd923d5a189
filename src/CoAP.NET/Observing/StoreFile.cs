using System.Text;

namespace CoAP.Observing;

/// <summary>Reads and replaces the text file of a store.</summary>
internal static class StoreFile
{
    /// <summary>The size of the largest file, in bytes.</summary>
    public const long MaxSize = 64 << 20;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <summary>Reads a file, or returns <see langword="null"/> if it does not exist.</summary>
    /// <exception cref="IOException">The file cannot be read, is a symbolic link, or is too large.</exception>
    public static StreamReader? Open(string path)
    {
        using var stream = PrivateFile.OpenRead(path);
        if (stream is null) { return null; }
        var length = stream.Length;
        if (length > MaxSize) { throw new IOException($"{path} is larger than {MaxSize} bytes, so it cannot be the file of a store."); }
        // At most this many bytes are read, because the file may grow meanwhile, and a device may never end.
        var bytes = new byte[length];
        var count = stream.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false);
        return new StreamReader(new MemoryStream(bytes, 0, count), Utf8);
    }

    /// <summary>Returns the size of a line in the file, in bytes.</summary>
    public static int SizeOf(string line) => Utf8.GetByteCount(line) + Environment.NewLine.Length;

    /// <summary>Replaces a file in one step.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Replace(string path, IEnumerable<string> lines)
    {
        using var replaced = PrivateFile.Replace(path, file =>
        {
            using var text = new StreamWriter(file, Utf8, leaveOpen: true);
            foreach (var line in lines) { text.WriteLine(line); }
        });
    }
}
