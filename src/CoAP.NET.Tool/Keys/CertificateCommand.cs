using System.CommandLine;
using System.Security.Cryptography.X509Certificates;
using CoAP.Tool.Connecting;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>The command "coap keygen certificate": the certificate of a server or client, and its key.</summary>
internal sealed class CertificateCommand
{
    private const int DefaultDays = 365;

    private readonly Option<string> _name = new("--name")
    {
        HelpName = "NAME",
        Required = true,
        Description = "The common name, such as the host name of the server or the EUI-64 of the device. The files are named after it.",
    };

    private readonly Option<string[]> _hosts = new("--dns")
    {
        HelpName = "HOST",
        Description = "A host name of the server, repeatable. Default: NAME, if it is a host name or an address.",
    };

    private readonly Option<string[]> _addresses = new("--ip") { HelpName = "ADDRESS", Description = "An address of the server, repeatable." };

    private readonly Option<string?> _authority = new("--ca")
    {
        HelpName = "FILE",
        Description = "The certificate of the authority that signs. Default: the certificate signs itself.",
    };

    private readonly Option<string?> _authorityKey = new("--ca-key") { HelpName = "FILE", Description = "The key of the authority." };
    private readonly ValidityArgument _life = new(DefaultDays);
    private readonly KeyFiles _files = new();
    private readonly Option<bool> _isJson = KeyOutput.CreateJsonOption();

    public static Command Create(Terminal terminal)
    {
        var arguments = new CertificateCommand();
        var command = new ToolCommand(
            terminal,
            "certificate",
            "Create a certificate for a server or client, NAME.pem for --cert, and its key, NAME.key for --key (ECDSA P-256, RFC 7252, section 9.1.3.3).",
            "coap keygen certificate --name localhost --dns localhost --ip 127.0.0.1 --ip ::1",
            "coap keygen certificate --name 00-11-22-FF-FE-33-44-55 --ca keys/ca.pem --ca-key keys/ca.key --out keys");
        arguments.AddTo(command);
        command.Runs((parsed, _) => Task.FromResult(arguments.Run(terminal, parsed)));
        return command;
    }

    private void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _name, _hosts, _addresses, _authority, _authorityKey }) { command.Add(option); }
        _life.AddTo(command);
        _files.AddTo(command);
        command.Add(_isJson);
        Together.Require(command, _authority, _authorityKey);
    }

    private int Run(Terminal terminal, ParseResult arguments)
    {
        var name = arguments.GetRequiredValue(_name);
        var alternatives = CertificateName.AlternativeNames(name, arguments.GetValue(_hosts) ?? [], arguments.GetValue(_addresses) ?? []);
        using var authority = arguments.GetValue(_authority) is { } file ? CertificateIssuer.ReadAuthority(file, arguments.GetValue(_authorityKey)!) : null;
        using var key = CertificateIssuer.CreateKey();
        var life = _life.Of(arguments);
        using var certificate = CertificateIssuer.Create(name, alternatives, key, life, authority);
        var baseName = CertificateName.ToFileName(name);
        var (path, keyPath) = (_files.PathOf(arguments, baseName + ".pem"), _files.PathOf(arguments, baseName + ".key"));
        _files.Write(arguments, new KeyFile(keyPath, key.ExportPkcs8PrivateKeyPem(), IsSecret: true), new KeyFile(path, certificate.ExportCertificatePem()));
        WarnIfShort(terminal, certificate, life);
        KeyOutput.Write(terminal, arguments.GetValue(_isJson), ("certificate", path), ("key", keyPath), ("expires", AuthorityCommand.Expiry(certificate)));
        return ExitCode.Success;
    }

    private static void WarnIfShort(Terminal terminal, X509Certificate2 certificate, TimeSpan life)
    {
        if (certificate.NotAfter.ToUniversalTime() < DateTime.UtcNow + life - TimeSpan.FromHours(1))
        {
            terminal.Error.WriteLine("coap: The certificate expires together with the one of the authority, before the given number of days.");
        }
    }
}
