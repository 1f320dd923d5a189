using System.Diagnostics.CodeAnalysis;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;

namespace CoAP.Tool.Keys;

/// <summary>The names in a certificate, and the file name that follows from them.</summary>
internal static class CertificateName
{
    private const int MaxCommonName = 64;      // RFC 5280, appendix A.1, ub-common-name

    /// <summary>Returns the subject with this common name.</summary>
    /// <exception cref="FormatException">The name is empty or too long.</exception>
    public static X500DistinguishedName Subject(string name)
    {
        if (name.Length is < 1 or > MaxCommonName)
        {
            throw new FormatException($"--name has {name.Length} characters; a common name has 1 to {MaxCommonName} (RFC 5280, appendix A.1).");
        }
        var builder = new X500DistinguishedNameBuilder();
        builder.AddCommonName(name);
        return builder.Build();
    }

    /// <summary>
    /// Returns the alternative names. Without any, the common name is used if it is a host name or an address, because clients ignore the common name of a
    /// server (RFC 9525, section 2). <see langword="null"/> if there is none.
    /// </summary>
    /// <exception cref="FormatException">A name is not valid.</exception>
    public static X509Extension? AlternativeNames(string name, IReadOnlyList<string> hosts, IReadOnlyList<string> addresses)
    {
        var builder = new SubjectAlternativeNameBuilder();
        if (hosts.Count + addresses.Count == 0) { return AddCommonName(builder, name) ? builder.Build() : null; }
        foreach (var host in hosts)
        {
            if (!IsHostName(host)) { throw new FormatException($"--dns takes a host name such as plant.example, not '{host}'."); }
            builder.AddDnsName(host);
        }
        foreach (var address in addresses)
        {
            builder.AddIpAddress(TryParseAddress(address, out var parsed) ? parsed
                : throw new FormatException($"--ip takes an IP address such as 192.0.2.7 or 2001:db8::7, not '{address}'."));
        }
        return builder.Build();
    }

    /// <summary>Returns the name with everything replaced by "_" that could be special in a file name.</summary>
    public static string ToFileName(string name)
    {
        var safe = string.Concat(name.Select(static letter => char.IsAsciiLetterOrDigit(letter) || letter is '-' or '_' or '.' ? letter : '_'));
        return safe.StartsWith('.') ? "_" + safe[1..] : safe;
    }

    private static bool AddCommonName(SubjectAlternativeNameBuilder builder, string name)
    {
        if (TryParseAddress(name, out var address)) { builder.AddIpAddress(address); }
        else if (IsHostName(name)) { builder.AddDnsName(name); }
        else { return false; }
        return true;
    }

    // The parser also accepts "300" and "127.1", which are usually something else.
    private static bool TryParseAddress(string text, [NotNullWhen(true)] out IPAddress? address) =>
        IPAddress.TryParse(text, out address) && (address.AddressFamily == AddressFamily.InterNetworkV6 || address.ToString() == text);

    private static bool IsHostName(string text) =>
        Uri.CheckHostName(text) == UriHostNameType.Dns && text.All(char.IsAscii) && !text.Contains('_', StringComparison.Ordinal);
}
