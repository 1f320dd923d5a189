using CoAP;

namespace SampleServer;

/// <summary>The library of the system that DTLS needs.</summary>
internal static class DtlsLibrary
{
    /// <summary>Returns its version and its file, or why there is none.</summary>
    public static string Describe()
    {
        try { return $"DTLS: {DtlsPlatform.Describe()}"; }
        catch (PlatformNotSupportedException exception) { return $"DTLS: not available: {exception.Message}"; }
    }
}
