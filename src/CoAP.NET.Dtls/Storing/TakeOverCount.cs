using System.Globalization;

namespace CoAP.Dtls;

/// <summary>
/// How often a file of sessions was taken over, in a second file. A session file that says less is an earlier one, for example from a backup: its sessions have used
/// later record numbers than it knows.
/// </summary>
/// <param name="path">The second file.</param>
internal sealed class TakeOverCount(string path)
{
    /// <summary>Returns the number of the next take-over.</summary>
    /// <param name="sessions">The session file.</param>
    /// <param name="count">What it says; <see langword="null"/> if there is none, and so no session.</param>
    /// <exception cref="IOException">The session file is an earlier one, or the second file cannot be read.</exception>
    public long After(string sessions, long? count)
    {
        if (Read() is var last && (count ?? last) >= last) { return (count ?? last) + 1; }
        throw new IOException(
            $"{sessions} is out of date: it was taken over {count} times, but {path} says {last}. "
            + "Record numbers of these sessions would be used twice, "
            + $"and an attacker could read and forge records. Delete both files if {sessions} was restored from a backup. The peers then need new handshakes.");
    }

    /// <summary>Stores the count. It is on the disk when the method returns.</summary>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public void Write(long count)
    {
        using var file = PrivateFile.Replace(path, target =>
        {
            using var text = new StreamWriter(target, leaveOpen: true);
            text.Write(count.ToString(CultureInfo.InvariantCulture));
        });
    }

    // A file that is empty or deleted knows nothing.
    private long Read()
    {
        using var stream = PrivateFile.OpenRead(path);
        if (stream is null) { return 0; }
        Span<char> text = stackalloc char[20];
        using var reader = new StreamReader(stream);
        var length = reader.ReadBlock(text);
        return long.TryParse(text[..length].Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var count)
            ? count
            : throw new IOException($"{path} does not contain a number. It should contain how often the DTLS sessions were taken over.");
    }
}
