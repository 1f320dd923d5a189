using System.Diagnostics;
using CoAP.Dtls.OpenSsl;

namespace CoAP;

/// <summary>The system's OpenSSL 3 library, which DTLS uses for handshakes and encryption.</summary>
public static class DtlsPlatform
{
    /// <summary>Whether the system has OpenSSL 3.0 or a later 3.x, which DTLS needs.</summary>
    public static bool IsSupported
    {
        get
        {
            try
            {
                OpenSslLibrary.Require();
                return true;
            }
            catch (PlatformNotSupportedException) { return false; }
        }
    }

    /// <summary>Whether the library supports raw public keys (RFC 7250). OpenSSL has them from version 3.2 on.</summary>
    public static bool SupportsRawPublicKeys => IsSupported && OpenSslLibrary.HasRawPublicKeys;

    /// <summary>Returns the version and the file of the library, for example "OpenSSL 3.0.15 3 Sep 2024, /usr/lib/x86_64-linux-gnu/libssl.so.3".</summary>
    /// <exception cref="PlatformNotSupportedException">There is no such library. The message says what to install.</exception>
    public static string Describe()
    {
        var version = OpenSslLibrary.Version;
        using var process = Process.GetCurrentProcess();
        var file = process.Modules.Cast<ProcessModule>().Select(static module => module.FileName)
            .FirstOrDefault(static path => Path.GetFileName(path)?.StartsWith(OpenSslLibrary.Ssl, StringComparison.Ordinal) == true);
        return file is null ? version : $"{version}, {file}";
    }
}
