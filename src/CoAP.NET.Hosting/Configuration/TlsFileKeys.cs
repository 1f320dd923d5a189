using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Reads the certificates of a section "Tls" from PEM files.</summary>
internal static class TlsFileKeys
{
    public const string Certificate = "CertificateFile";
    public const string Key = "KeyFile";
    public const string TrustedRoots = "TrustedRootsFile";

    /// <summary>Sets the properties of a copy that the keys stand for.</summary>
    public static void Apply(SettingsType type, object copy, IConfigurationSection section, ICollection<string> problems)
    {
        if (HasContents(section, problems)) { return; }
        if (section[Certificate] is { Length: > 0 } certificate)
        {
            // A file may contain both.
            var key = section[Key] is { Length: > 0 } separate ? separate : certificate;
            Set(type, "Certificate", copy, section.GetSection(Certificate), problems, () => type.Type == typeof(TlsServerSettings)
                ? TlsCertificateSource.FromFiles(certificate, key)
                : Load(certificate, key));
        }
        else if (section[Key] is { Length: > 0 } key)
        {
            problems.Add($"{section.Path}:{Key} is \"{key}\" without a certificate; also write {section.Path}:{Certificate}.");
        }
        if (section[TrustedRoots] is { Length: > 0 } roots)
        {
            Set(type, "TrustedRoots", copy, section.GetSection(TrustedRoots), problems, () => LoadRoots(roots));
        }
    }

    // The exceptions of the runtime show the whole path, which may be a private key by mistake.
    private static bool HasContents(IConfigurationSection section, ICollection<string> problems)
    {
        var before = problems.Count;
        foreach (var name in new[] { Certificate, Key, TrustedRoots })
        {
            if (section[name] is { } text && ShownValue.IsContents(text))
            {
                problems.Add($"{section.Path}:{name} contains a key or certificate; write the path of a PEM file.");
            }
        }
        return problems.Count > before;
    }

    private static void Set(
        SettingsType type, string property, object copy, IConfigurationSection key, ICollection<string> problems, Func<object> load)
    {
        try { SettingsType.Set(type.Find(property)!, copy, load()); }
        catch (Exception error) when (error is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            problems.Add($"{key.Path} is \"{key.Value}\": {error.Message} The paths are relative to {Environment.CurrentDirectory}.");
        }
    }

    private static X509Certificate2 Load(string certificate, string key) => X509Certificate2.CreateFromPemFile(certificate, key);

    private static X509Certificate2Collection LoadRoots(string file)
    {
        var roots = new X509Certificate2Collection();
        roots.ImportFromPemFile(file);
        return roots.Count > 0 ? roots : throw new CryptographicException("The file contains no certificate in PEM.");
    }
}
