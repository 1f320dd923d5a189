using System.CommandLine;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>The command "coap keygen raw": a key pair without a certificate (RFC 7252, section 9.1.3.2).</summary>
internal static class RawKeyCommand
{
    public static Command Create(Terminal terminal)
    {
        var name = new Option<string>("--name") { HelpName = "NAME", Description = "The name of the files.", DefaultValueFactory = static _ => "raw" };
        var files = new KeyFiles();
        var isJson = KeyOutput.CreateJsonOption();
        var command = new ToolCommand(
            terminal,
            "raw",
            "Create a raw public key (RFC 7250): the key pair NAME.key, its public half NAME.pub, and the identifier to give to the other side.",
            "coap keygen raw --name pump-7 --out keys         # keys/pump-7.key and keys/pump-7.pub");
        command.Add(name);
        files.AddTo(command);
        command.Add(isJson);
        command.Runs((arguments, _) =>
        {
            using var key = CertificateIssuer.CreateKey();
            var baseName = CertificateName.ToFileName(arguments.GetRequiredValue(name));
            var (publicPath, keyPath) = (files.PathOf(arguments, baseName + ".pub"), files.PathOf(arguments, baseName + ".key"));
            KeyFile secret = new(keyPath, key.ExportPkcs8PrivateKeyPem(), IsSecret: true), open = new(publicPath, key.ExportSubjectPublicKeyInfoPem());
            files.Write(arguments, secret, open);
            var identifier = RawPublicKey.From(key).Identifier;
            KeyOutput.Write(terminal, arguments.GetValue(isJson), ("public", publicPath), ("key", keyPath), ("identifier", identifier));
            return Task.FromResult(ExitCode.Success);
        });
        return command;
    }
}
