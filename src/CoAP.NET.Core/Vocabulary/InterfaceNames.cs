using System.Runtime.InteropServices;
using System.Text;

namespace CoAP.Vocabulary;

/// <summary>
/// The names of the network interfaces behind the zones of link-local addresses. What outlives the process contains names: after a restart,
/// an interface can have another number (RFC 4007, section 6).
/// </summary>
internal static partial class InterfaceNames
{
    /// <summary>
    /// The zone of an address whose interface this machine does not have. No interface has this number, so nothing can be sent there.
    /// </summary>
    public const uint UnknownZone = uint.MaxValue;

    private const int MaxLength = 256;      // with the zero at the end: 16 bytes on Unix, 256 on Windows

    /// <summary>Returns the name of the interface with this number, or an empty text if there is none.</summary>
    public static string NameOf(uint zone)
    {
        if (zone is 0 or > int.MaxValue) { return ""; }
        Span<byte> name = stackalloc byte[MaxLength];
        name.Clear();
        ref var first = ref MemoryMarshal.GetReference(name);
        var found = OperatingSystem.IsWindows() ? WindowsNameOf(zone, ref first) : UnixNameOf(zone, ref first);
        return found == 0 ? "" : Encoding.UTF8.GetString(name[..Math.Max(0, name.IndexOf((byte)0))]);
    }

    /// <summary>Returns the number of the interface with this name, or <see cref="UnknownZone"/> if there is none.</summary>
    public static uint ZoneOf(string name)
    {
        if (name.Length is 0 or >= MaxLength || name.Contains('\0', StringComparison.Ordinal)) { return UnknownZone; }
        var found = OperatingSystem.IsWindows() ? WindowsZoneOf(name) : UnixZoneOf(name);
        return found == 0 ? UnknownZone : found;
    }

    [LibraryImport("libc", EntryPoint = "if_indextoname")]
    private static partial nint UnixNameOf(uint zone, ref byte name);

    [LibraryImport("libc", EntryPoint = "if_nametoindex", StringMarshalling = StringMarshalling.Utf8)]
    private static partial uint UnixZoneOf(string name);

    [LibraryImport("iphlpapi.dll", EntryPoint = "if_indextoname")]
    private static partial nint WindowsNameOf(uint zone, ref byte name);

    [LibraryImport("iphlpapi.dll", EntryPoint = "if_nametoindex", StringMarshalling = StringMarshalling.Utf8)]
    private static partial uint WindowsZoneOf(string name);
}
