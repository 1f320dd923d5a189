using System.Runtime.InteropServices;

namespace CoAP.Tests.Transports;

/// <summary>Prevents the process from opening descriptors until it is disposed of. Linux only.</summary>
internal sealed partial class DescriptorLimit : IDisposable
{
    private const int OpenFiles = 7;

    private readonly Limit _before;

    private DescriptorLimit(Limit before) => _before = before;

    public static DescriptorLimit NoMore()
    {
        // The system assigns the lowest free number, so a limit at that number does not affect open descriptors.
        var free = Duplicate(0);
        Close(free).Should().Be(0);
        GetLimit(OpenFiles, out var before).Should().Be(0);
        var limit = before with { Soft = (ulong)free };
        SetLimit(OpenFiles, limit).Should().Be(0);
        return new DescriptorLimit(before);
    }

    public void Dispose() => SetLimit(OpenFiles, _before);

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
