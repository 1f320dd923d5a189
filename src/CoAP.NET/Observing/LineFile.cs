using System.Text;

namespace CoAP.Observing;

/// <summary>A text file that is written anew as a whole and put in the place of the old one, so that a restart at any moment finds a whole one.</summary>
internal static class LineFile
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    /// <exception cref="IOException">The file cannot be written.</exception>
    public static void Write(string path, IEnumerable<string> lines)
    {
        var next = path + ".new";
        using (var file = new FileStream(next, FileMode.Create, FileAccess.Write, FileShare.None))
        {
            using var text = new StreamWriter(file, Utf8, leaveOpen: true);
            foreach (var line in lines) { text.WriteLine(line); }
            text.Flush();
            // A rename that reaches the disk before what was written would leave an empty file behind.
            file.Flush(flushToDisk: true);
        }
        File.Move(next, path, overwrite: true);
    }
}
