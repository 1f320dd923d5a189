using System.CommandLine;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>The command "coap keygen": creates keys and certificates.</summary>
internal static class KeygenCommand
{
    public static Command Create(Terminal terminal)
    {
        var command = new ToolCommand(
            terminal,
            "keygen",
            "Create pre-shared keys, certificates and raw public keys for coaps and coaps+tcp.",
            "coap keygen psk --identity pump-7                          # a key for --psk",
            "coap keygen ca --out keys                                  # keys/ca.pem and keys/ca.key",
            "coap keygen certificate --name plant.example --ca keys/ca.pem --ca-key keys/ca.key --out keys");
        command.Add(PskCommand.Create(terminal));
        command.Add(AuthorityCommand.Create(terminal));
        command.Add(CertificateCommand.Create(terminal));
        command.Add(RawKeyCommand.Create(terminal));
        return command;
    }
}
