using System.Runtime.InteropServices;

namespace CoAP.TestSupport;

/// <summary>Lets the process open only a few more descriptors, or none, until it is disposed of. Linux only.</summary>
internal sealed partial class DescriptorLimit : IDisposable
{
    private const int OpenFiles = 7;

    private readonly Limit _before;

    private DescriptorLimit(Limit before) => _before = before;

    /// <param name="more">How many numbers above the lowest free one may be used.</param>
    public static DescriptorLimit Of(int more)
    {
        // The system assigns the lowest free number, so a limit near that number does not affect open descriptors.
        var free = Duplicate(0);
        ThrowIfFailed(Close(free));
        ThrowIfFailed(GetLimit(OpenFiles, out var before));
        ThrowIfFailed(SetLimit(OpenFiles, before with { Soft = (ulong)(free + more) }));
        return new DescriptorLimit(before);
    }

    public void Dispose() => _ = SetLimit(OpenFiles, _before);

    private static void ThrowIfFailed(int result)
    {
        if (result != 0) { throw new PlatformNotSupportedException("The limit of descriptors cannot be set."); }
    }

    [LibraryImport("libc", EntryPoint = "dup")]
    private static partial int Duplicate(int descriptor);

    [LibraryImport("libc", EntryPoint = "close")]
    private static partial int Close(int descriptor);

    [LibraryImport("libc", EntryPoint = "getrlimit")]
    private static partial int GetLimit(int resource, out Limit limit);

    [LibraryImport("libc", EntryPoint = "setrlimit")]
    private static partial int SetLimit(int resource, in Limit limit);

    private record struct Limit(ulong Soft, ulong Hard);
}
