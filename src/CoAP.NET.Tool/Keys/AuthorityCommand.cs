using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>The command "coap keygen ca": the certificate of an authority and its key.</summary>
internal static class AuthorityCommand
{
    private const int DefaultDays = 3650;

    public static Command Create(Terminal terminal)
    {
        var name = new Option<string>("--name") { HelpName = "NAME", Description = "The common name.", DefaultValueFactory = static _ => "CoAP authority" };
        var life = new ValidityArgument(DefaultDays);
        var files = new KeyFiles();
        var isJson = KeyOutput.CreateJsonOption();
        var command = new ToolCommand(
            terminal,
            "ca",
            "Create an authority that issues certificates: ca.pem for --ca, and ca.key, which stays secret.",
            "coap keygen ca --out keys                        # keys/ca.pem and keys/ca.key");
        command.Add(name);
        life.AddTo(command);
        files.AddTo(command);
        command.Add(isJson);
        command.Runs((arguments, _) =>
        {
            using var key = CertificateIssuer.CreateKey();
            using var certificate = CertificateIssuer.CreateAuthority(arguments.GetRequiredValue(name), key, life.Of(arguments));
            var (path, keyPath) = (files.PathOf(arguments, "ca.pem"), files.PathOf(arguments, "ca.key"));
            files.Write(arguments, new KeyFile(keyPath, key.ExportPkcs8PrivateKeyPem(), IsSecret: true), new KeyFile(path, certificate.ExportCertificatePem()));
            KeyOutput.Write(terminal, arguments.GetValue(isJson), ("certificate", path), ("key", keyPath), ("expires", Expiry(certificate)));
            return Task.FromResult(ExitCode.Success);
        });
        return command;
    }

    /// <summary>Returns the end of a certificate as text.</summary>
    public static string Expiry(X509Certificate2 certificate) =>
        certificate.NotAfter.ToUniversalTime().ToString("yyyy-MM-ddTHH:mm:ssZ", CultureInfo.InvariantCulture);
}
