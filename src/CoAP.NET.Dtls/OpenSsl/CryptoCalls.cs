using System.Runtime.InteropServices;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The calls of libcrypto.</summary>
internal static unsafe partial class CryptoCalls
{
    /// <summary>Commands of <see cref="ControlCipher"/>.</summary>
    public const int SetIvLength = 0x9, GetTag = 0x10, SetTag = 0x11;

    /// <summary>The command of <see cref="ControlBio"/> that makes reads from an empty BIO return "try again" instead of the end.</summary>
    public const int SetEofReturn = 130;

    /// <summary>The command of <see cref="ControlBio"/> that returns the number of bytes in a BIO.</summary>
    public const int GetPending = 10;

    private const int VersionString = 0;
    private const int LongestError = 256;
    private const int ReasonBits = 23, SslErrors = 20;      // ERR_GET_REASON and ERR_LIB_SSL

    public static string VersionText() => Marshal.PtrToStringUTF8(GetVersion(VersionString)) ?? "";

    /// <summary>Returns the errors of this thread, and removes them.</summary>
    public static string TakeErrors()
    {
        var errors = new List<string>();
        var text = stackalloc byte[LongestError];
        for (ulong error; (error = GetError()) != 0;)
        {
            WriteError(error, text, LongestError);
            errors.Add(Marshal.PtrToStringUTF8((nint)text) ?? "");
        }
        return string.Join("; ", errors);
    }

    /// <summary>Returns the reason code of the first error of this thread if it is an error of TLS; otherwise 0.</summary>
    public static int PeekSslReason() => PeekError() is var error && error >> ReasonBits == SslErrors ? (int)(error & ((1UL << ReasonBits) - 1)) : 0;

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "OpenSSL_version_num")]
    public static partial ulong VersionNumber();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "OpenSSL_version")]
    private static partial nint GetVersion(int type);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "ERR_get_error")]
    private static partial ulong GetError();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "ERR_error_string_n")]
    private static partial void WriteError(ulong error, byte* text, nuint length);

    /// <summary>Removes the errors of this thread. Clearing the empty queue would take longer than looking at it.</summary>
    public static void ClearErrors()
    {
        if (PeekError() != 0) { ClearQueue(); }
    }

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "ERR_peek_error")]
    private static partial ulong PeekError();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "ERR_clear_error")]
    private static partial void ClearQueue();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CIPHER_CTX_new")]
    public static partial nint NewCipherContext();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CIPHER_CTX_free")]
    public static partial void FreeCipherContext(nint context);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CIPHER_fetch", StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint FetchCipher(nint library, string name, nint properties);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CIPHER_free")]
    public static partial void FreeCipher(nint cipher);

    // The calls that take the same short time for each record do not let the garbage collector in.

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CIPHER_CTX_ctrl"), SuppressGCTransition]
    public static partial int ControlCipher(nint context, int command, int argument, byte* data);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CipherInit_ex"), SuppressGCTransition]
    public static partial int InitCipher(nint context, nint cipher, nint engine, byte* key, byte* iv, int encrypts);

    /// <summary>Takes the length of the text, or the bytes that are only authenticated.</summary>
    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CipherUpdate"), SuppressGCTransition]
    public static partial int AnnounceText(nint context, byte* output, int* written, byte* input, int length);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CipherUpdate")]
    public static partial int UpdateCipher(nint context, byte* output, int* written, byte* input, int length);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "EVP_CipherFinal_ex"), SuppressGCTransition]
    public static partial int FinishCipher(nint context, byte* output, int* written);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "BIO_new")]
    public static partial nint NewBio(nint method);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "BIO_s_mem")]
    public static partial nint MemoryBio();

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "BIO_ctrl")]
    public static partial long ControlBio(nint bio, int command, long argument, nint data);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "BIO_write")]
    public static partial int Write(nint bio, byte* bytes, int length);

    [LibraryImport(OpenSslLibrary.Crypto, EntryPoint = "BIO_read")]
    public static partial int Read(nint bio, byte* bytes, int length);
}
