using System.CommandLine;
using System.Text;

namespace CoAP.Tool.Keys;

/// <summary>Where the key commands write their files, and whether they may replace files.</summary>
internal sealed class KeyFiles
{
    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode ReadableByAll = OwnerOnly | UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    private readonly Option<string> _folder = new("--out")
    {
        HelpName = "DIR",
        Description = "The folder for the files.",
        DefaultValueFactory = static _ => ".",
    };

    private readonly Option<bool> _replaces = new("--force") { Description = "Replace files that exist." };

    public void AddTo(Command command)
    {
        command.Add(_folder);
        command.Add(_replaces);
    }

    /// <summary>Returns the path of a file in the chosen folder.</summary>
    public string PathOf(ParseResult arguments, string file) => Path.Combine(arguments.GetRequiredValue(_folder), file);

    /// <summary>Writes files, each in one step. Only the owner can read the secret ones.</summary>
    /// <exception cref="IOException">A file exists and must not be replaced, or a file cannot be written.</exception>
    public void Write(ParseResult arguments, params IReadOnlyList<KeyFile> files)
    {
        var replaces = arguments.GetValue(_replaces);
        foreach (var file in files)
        {
            if (!replaces && File.Exists(file.Path))
            {
                throw new IOException($"'{file.Path}' exists. Use --force to replace it, or --out for another folder.");
            }
        }
        Directory.CreateDirectory(arguments.GetRequiredValue(_folder));
        foreach (var file in files) { Write(file, replaces); }
    }

    // A file with the final name is complete from the start and was never readable by others.
    private static void Write(KeyFile file, bool replaces)
    {
        var unfinished = $"{file.Path}.{Path.GetRandomFileName()}";
        try
        {
            var settings = new FileStreamOptions { Mode = FileMode.CreateNew, Access = FileAccess.Write };
            if (!OperatingSystem.IsWindows()) { settings.UnixCreateMode = file.IsSecret ? OwnerOnly : ReadableByAll; }
            using (var stream = new FileStream(unfinished, settings))
            {
                stream.Write(Encoding.ASCII.GetBytes(file.Pem.EndsWith('\n') ? file.Pem : file.Pem + "\n"));
                stream.Flush(flushToDisk: true);
            }
            PrivateFile.Move(unfinished, file.Path, replaces);
        }
        catch
        {
            File.Delete(unfinished);
            throw;
        }
    }
}

/// <summary>A PEM file to write.</summary>
/// <param name="Path">The path.</param>
/// <param name="Pem">The content.</param>
/// <param name="IsSecret">Whether only the owner may read the file.</param>
internal sealed record KeyFile(string Path, string Pem, bool IsSecret = false);
