namespace CoAP.Tool.Serving;

/// <summary>Recognizes files that contain private keys, by name or by content. They are never served.</summary>
/// <remarks>
/// A server's key often lies beside its certificate, in the folder that its owner works in. The names are those of key files and key stores. In PEM files,
/// which have many names, a key is recognized by its first line (RFC 7468).
/// </remarks>
internal static class PrivateKeys
{
    /// <summary>How much of a file is searched for a key in PEM form, in bytes. Files with certificates and keys are shorter.</summary>
    public const int SearchedLength = 64 << 10;

    private static readonly string[] Extensions = [".key", ".p8", ".p12", ".pfx", ".jks", ".keystore", ".ppk"];
    private static readonly string[] CertificateExtensions = [".pem", ".crt", ".cer", ".cert"];

    /// <summary>Whether a name is one of a file with private keys.</summary>
    public static bool IsNameOfOne(string name) => HasExtension(name, Extensions);

    /// <summary>Whether a name is one of a file with certificates, which often contains their private keys as well.</summary>
    public static bool IsNameOfCertificate(string name) => HasExtension(name, CertificateExtensions);

    /// <summary>Whether a file contains a private key in PEM form. A file that cannot be read contains none.</summary>
    public static bool AreIn(string path)
    {
        try
        {
            using var file = ServedFile.OpenRead(path);
            return file is not null && AreIn(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>Whether an open file contains a private key in PEM form.</summary>
    public static bool AreIn(FileStream file)
    {
        var bytes = new byte[Math.Min(file.Length, SearchedLength)];
        return AreIn(bytes.AsSpan(0, file.ReadAtLeast(bytes, bytes.Length, throwOnEndOfStream: false)));
    }

    // "-----BEGIN PRIVATE KEY-----", with "RSA", "EC", "ENCRYPTED", "OPENSSH" or another word before "PRIVATE".
    private static bool AreIn(ReadOnlySpan<byte> content)
    {
        for (int begin; (begin = content.IndexOf("-----BEGIN "u8)) >= 0;)
        {
            content = content[begin..];
            var line = content.IndexOfAny((byte)'\r', (byte)'\n') is >= 0 and var end ? content[..end] : content;
            if (line.IndexOf("PRIVATE KEY"u8) >= 0) { return true; }
            content = content[line.Length..];
        }
        return false;
    }

    private static bool HasExtension(string name, string[] extensions) =>
        Array.Exists(extensions, extension => name.EndsWith(extension, StringComparison.OrdinalIgnoreCase));
}
