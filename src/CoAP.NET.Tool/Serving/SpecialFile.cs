using System.Runtime.InteropServices;

namespace CoAP.Tool.Serving;

/// <summary>Recognizes named pipes, sockets and devices, which clients must neither replace nor delete.</summary>
internal static unsafe partial class SpecialFile
{
    private const int CurrentFolder = -100, DoNotFollow = 0x100;
    private const uint TypeAndMode = 3;
    private const int StatusLength = 256, ModeOffset = 28;
    private const int TypeBits = 0xF000, RegularFile = 0x8000, Folder = 0x4000, Link = 0xA000;

    /// <summary>Whether a place is taken by something that is no file, no folder and no symbolic link.</summary>
    /// <remarks>
    /// .NET takes all these for files. A file with content is none of them. On Linux, the system tells the type of an empty one; elsewhere, it is opened: a
    /// socket and many devices cannot be, and a pipe has no position.
    /// </remarks>
    public static bool IsAt(string path)
    {
        if (OperatingSystem.IsWindows() || new FileInfo(path) is not { Exists: true, Length: 0 }) { return false; }
        return OperatingSystem.IsLinux() ? TypeOf(path) is not (RegularFile or Folder or Link or 0) : !CanBePositioned(path);
    }

    private static int TypeOf(string path)
    {
        var status = stackalloc byte[StatusLength];
        return GetStatus(CurrentFolder, path, DoNotFollow, TypeAndMode, status) == 0 ? *(ushort*)(status + ModeOffset) & TypeBits : 0;
    }

    private static bool CanBePositioned(string path)
    {
        try
        {
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
            return file.CanSeek;
        }
        catch (IOException)
        {
            return false;
        }
    }

    // struct statx is the same on all processors.
    [LibraryImport("libc", EntryPoint = "statx", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int GetStatus(int folder, string path, int flags, uint mask, byte* status);
}
