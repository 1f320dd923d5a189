using System.Reflection;
using System.Runtime.InteropServices;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The system's OpenSSL 3. It is loaded on first use.</summary>
internal static class OpenSslLibrary
{
    /// <summary>The names under which the calls are declared.</summary>
    public const string Ssl = "libssl", Crypto = "libcrypto";

    private const ulong FirstVersion = 3UL << 28, FirstWithRawKeys = (3UL << 28) | (2UL << 20);

    private static readonly Lazy<Loaded> Library = new(Load);

    /// <summary>The version as OpenSSL writes it.</summary>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    public static string Version => Library.Value.Version;

    /// <summary>Loads the library if it is not loaded yet.</summary>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    public static void Require() => _ = Library.Value;

    /// <summary>Whether the library has raw public keys (RFC 7250).</summary>
    /// <exception cref="PlatformNotSupportedException">There is no OpenSSL 3.</exception>
    public static bool HasRawPublicKeys => Library.Value.Number >= FirstWithRawKeys;

    /// <summary>Loads the library if it is not loaded yet.</summary>
    /// <exception cref="PlatformNotSupportedException">It has no raw public keys.</exception>
    public static void RequireRawPublicKeys()
    {
        if (!HasRawPublicKeys)
        {
            throw new PlatformNotSupportedException(
                $"Raw public keys need OpenSSL 3.2 or later; the system has {Version}. Use certificates or pre-shared keys, or install a newer version.");
        }
    }

    private static string[] NamesOf(string library) =>
        OperatingSystem.IsWindows() ? [$"{library}-3-x64.dll", $"{library}-3-arm64.dll", $"{library}-3.dll"]
        : OperatingSystem.IsMacOS() ? [$"{library}.3.dylib", $"/opt/homebrew/lib/{library}.3.dylib", $"/usr/local/lib/{library}.3.dylib"]
        : [$"{library}.so.3"];

    private static Loaded Load()
    {
        var (crypto, ssl) = (Find(Crypto), Find(Ssl));
        NativeLibrary.SetDllImportResolver(
            typeof(OpenSslLibrary).Assembly, (name, _, _) => name switch { Ssl => ssl, Crypto => crypto, _ => 0 });
        var number = CryptoCalls.VersionNumber();
        if (number < FirstVersion)
        {
            throw new PlatformNotSupportedException($"DTLS needs OpenSSL 3.0 or later; the library that was found is {CryptoCalls.VersionText()}.");
        }
        return new(CryptoCalls.VersionText(), number);
    }

    private static nint Find(string library)
    {
        foreach (var name in NamesOf(library))
        {
            if (NativeLibrary.TryLoad(name, Assembly.GetExecutingAssembly(), null, out var handle)) { return handle; }
        }
        throw new PlatformNotSupportedException(
            $"DTLS needs OpenSSL 3, and none of these files was found: {string.Join(", ", NamesOf(library))}. Install it, for example with "
            + "'apt install libssl3' on Debian and Ubuntu, 'dnf install openssl-libs' on Fedora, 'apk add libssl3' on Alpine, 'brew install openssl@3' on macOS"
            + ". On Windows, put the DLLs of OpenSSL 3 next to the program, or add their folder to PATH.");
    }

    private sealed record Loaded(string Version, ulong Number);
}
