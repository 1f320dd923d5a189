using System.Runtime.InteropServices;

namespace CoAP.Tool.Tests;

/// <summary>An empty folder that is deleted with its files at the end of a test.</summary>
internal sealed partial class TemporaryFolder : IDisposable
{
    private const uint OwnerReadsAndWrites = 0x180;     // octal 600

    public string Path { get; } = Directory.CreateTempSubdirectory("coap-tool-").FullName;

    public string this[string file] => System.IO.Path.Combine(Path, file);

    public string Write(string file, string content)
    {
        Directory.CreateDirectory(System.IO.Path.GetDirectoryName(this[file])!);
        File.WriteAllText(this[file], content);
        return this[file];
    }

    /// <summary>Creates a named pipe. A call instead of the program mkfifo, so that no test waits for another process.</summary>
    public void MakePipe(string file)
    {
        if (MakePipe(this[file], OwnerReadsAndWrites) == 0) { return; }
        throw new IOException($"'{this[file]}' cannot be made: error {Marshal.GetLastPInvokeError()}.");
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8, SetLastError = true)]
    private static partial int MakePipe(string path, uint mode);
}
