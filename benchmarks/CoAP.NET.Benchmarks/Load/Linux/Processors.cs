using System.ComponentModel;
using System.Runtime.InteropServices;

namespace CoAP.Benchmarks.Load;

/// <summary>Chooses the processors that threads of this process run on. Threads and processes that they start inherit the choice.</summary>
internal static unsafe class Processors
{
    /// <summary>The processor of servers.</summary>
    public const int Server = 0;

    private const int MaskBytes = 128;

    /// <summary>The processor of clients and generators: another one if there is one.</summary>
    public static int Client => Environment.ProcessorCount > 1 ? Server + 1 : Server;

    /// <summary>Pins the calling thread.</summary>
    public static void Pin(int processor)
    {
        if (!Allow(0, [processor])) { throw new Win32Exception(Marshal.GetLastPInvokeError(), $"The thread cannot run on processor {processor}."); }
    }

    /// <summary>Restricts all threads of this process to some processors; without any, lifts the restriction.</summary>
    public static void PinAll(params int[] processors)
    {
        // A thread may have ended since.
        foreach (var task in Directory.EnumerateDirectories("/proc/self/task")) { _ = Allow(int.Parse(Path.GetFileName(task), CultureInfo.InvariantCulture), processors); }
    }

    private static bool Allow(int thread, int[] processors)
    {
        var mask = stackalloc byte[MaskBytes];
        new Span<byte>(mask, MaskBytes).Fill(processors.Length == 0 ? byte.MaxValue : (byte)0);
        foreach (var processor in processors) { mask[processor / 8] |= (byte)(1 << (processor % 8)); }
        return ProcessCalls.SetAffinity(thread, MaskBytes, mask) == 0;
    }
}
