using System.ComponentModel;
using System.Diagnostics;

namespace CoAP.Tests.Dtls.Storing;

/// <summary>A small disk in a file. A copy of its bytes is what a power failure at that moment would leave.</summary>
internal sealed class DiskImage : IDisposable
{
    private const long Size = 16 << 20;

    private readonly string _file;

    private DiskImage(string file)
    {
        _file = file;
        Folder = Directory.CreateTempSubdirectory("coap-disk-").FullName;
    }

    /// <summary>The folder through which its files are seen.</summary>
    public string Folder { get; }

    /// <summary>Returns an empty disk, or <see langword="null"/> where this user may not mount one.</summary>
    public static DiskImage? TryCreate()
    {
        var file = Path.GetTempFileName();
        using (var image = File.OpenWrite(file)) { image.SetLength(Size); }
        // By default the kernel guesses from a rename that the content must reach the disk first. Nothing here may rest on that.
        return TryRun("mkfs.ext4", "-q", "-F", file) ? TryMount(file, "loop,noauto_da_alloc") : Deleted(file);
    }

    /// <summary>Returns what the disk would have after a power failure now. Nothing is written for that which is not on the disk yet.</summary>
    public DiskImage Cut()
    {
        var copy = Path.GetTempFileName();
        File.Copy(_file, copy, overwrite: true);
        return TryMount(copy, "loop") ?? throw new InvalidOperationException("The copy cannot be mounted, although the disk could.");
    }

    /// <summary>Writes all that was done so far to the disk.</summary>
    public void Sync() => TryRun("sync", "-f", Folder).Should().BeTrue();

    public void Dispose()
    {
        TryRun("umount", "--lazy", Folder);
        Directory.Delete(Folder);
        File.Delete(_file);
    }

    private static DiskImage? TryMount(string file, string options)
    {
        var image = new DiskImage(file);
        if (TryRun("mount", "-o", options, file, image.Folder)) { return image; }
        Directory.Delete(image.Folder);
        return Deleted(file);
    }

    private static DiskImage? Deleted(string file)
    {
        File.Delete(file);
        return null;
    }

    private static bool TryRun(string program, params string[] arguments)
    {
        try
        {
            var start = new ProcessStartInfo(program, arguments) { RedirectStandardError = true, RedirectStandardOutput = true };
            using var process = Process.Start(start)!;
            process.StandardError.ReadToEnd();
            process.WaitForExit();
            return process.ExitCode == 0;
        }
        catch (Win32Exception)
        {
            return false;       // there is no such program
        }
    }
}
