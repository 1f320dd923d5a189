using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Tool.Connecting;

/// <summary>Certificates and keys in PEM files.</summary>
internal static class PemFiles
{
    /// <exception cref="FormatException">The files cannot be read, or do not belong together.</exception>
    public static X509Certificate2 Read(string file, string keyFile)
    {
        try
        {
            return X509Certificate2.CreateFromPemFile(file, keyFile);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new FormatException($"The certificate '{file}' with the key '{keyFile}' cannot be read: {exception.Message}", exception);
        }
    }

    /// <exception cref="FormatException">The file cannot be read, or has no certificate.</exception>
    public static X509Certificate2Collection ReadRoots(string file)
    {
        var roots = new X509Certificate2Collection();
        try
        {
            roots.ImportFromPemFile(file);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new FormatException($"The certificates '{file}' cannot be read: {exception.Message}", exception);
        }
        return roots.Count > 0 ? roots : throw new FormatException($"There is no certificate in '{file}'.");
    }
}
