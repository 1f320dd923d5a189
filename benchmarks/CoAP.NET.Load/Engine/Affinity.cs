using System.Diagnostics;

namespace CoAP.Load;

/// <summary>Which processor the generator runs on.</summary>
internal static class Affinity
{
    /// <summary>The highest number of a processor.</summary>
    public const int Most = (MaskBytes * 8) - 1;

    private const int MaskBytes = 128;

    /// <summary>Pins the calling thread, and the threads that it starts, to one processor.</summary>
    /// <returns>Whether the system did so.</returns>
    public static unsafe bool Pin(int processor)
    {
        if (processor is < 0 or > Most) { return false; }
        if (LinuxCalls.IsSupported)
        {
            var mask = stackalloc byte[MaskBytes];
            mask[processor / 8] |= (byte)(1 << (processor % 8));
            return LinuxCalls.SetAffinity(0, MaskBytes, mask) == 0;
        }

        if (!OperatingSystem.IsWindows() || processor >= sizeof(nint) * 8) { return false; }
        using var process = Process.GetCurrentProcess();
        process.ProcessorAffinity = (nint)1 << processor;
        return true;
    }
}
