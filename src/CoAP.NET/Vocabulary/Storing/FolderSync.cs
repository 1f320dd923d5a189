using System.ComponentModel;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace CoAP.Vocabulary;

/// <summary>Writes the names in a folder to the disk. A rename is lost in a power failure until that is done, even if the content of the file is on the disk.</summary>
internal static partial class FolderSync
{
    private const int ReadOnly = 0;

    private static readonly AsyncLocal<Action<string>?> Trace = new();

    /// <summary>Called with each step of a replacement, for tests. <see langword="null"/> for none.</summary>
    internal static Action<string>? Traced
    {
        get => Trace.Value;
        set => Trace.Value = value;
    }

    /// <summary>Writes the names in the folder of a file to the disk. Windows writes them with the rename.</summary>
    /// <exception cref="IOException">The folder cannot be opened or written.</exception>
    public static void Sync(string path)
    {
        var folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        Traced?.Invoke($"sync {folder}");
        if (OperatingSystem.IsWindows()) { return; }
        var handle = Open(folder, ReadOnly);
        if (handle < 0)
        {
            throw new IOException($"The folder {folder} cannot be opened to write its names to the disk: {new Win32Exception(Marshal.GetLastPInvokeError()).Message}.");
        }
        using var opened = new SafeFileHandle(handle, ownsHandle: true);
        RandomAccess.FlushToDisk(opened);
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);
}
