using System.Text;

namespace CoAP.Observing;

/// <summary>A text file with one entry per line. It is replaced in one step: a restart at any moment finds either the old or the new file.</summary>
internal static class LineFile
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <summary>Reads the entries of a file; none if it does not exist. Skips lines that the parser returns <see langword="null"/> for.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static IEnumerable<T> Read<T>(string path, Func<string, T?> parse)
        where T : class => File.Exists(path) ? File.ReadLines(path).Select(parse).OfType<T>() : [];

    /// <summary>Writes the lines to a new file and renames it to the path.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, IEnumerable<string> lines)
    {
        var next = path + ".new";
        using (var file = new FileStream(next, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            using var text = new StreamWriter(file, Utf8, leaveOpen: true);
            foreach (var line in lines) { text.WriteLine(line); }
            text.Flush();
            // If the rename reached the disk before the content, a crash would leave an empty file.
            file.Flush(flushToDisk: true);
        }
        File.Move(next, path, overwrite: true);
    }
}
