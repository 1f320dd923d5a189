using System.CommandLine;
using System.Globalization;
using System.Security.Cryptography;
using CoAP.Tool.Running;

namespace CoAP.Tool.Keys;

/// <summary>The command "coap keygen psk": a random pre-shared key, as <c>--psk</c> takes it.</summary>
internal static class PskCommand
{
    private const int IdentityBytes = 4;

    public static Command Create(Terminal terminal)
    {
        var identity = new Option<string?>("--identity") { HelpName = "NAME", Description = "The identity that the client sends. Default: a random one." };

        var length = new Option<string>("--length")
        {
            HelpName = "16|32",
            Description = "The length of the key in bytes.",
            DefaultValueFactory = static _ => "16",
        };

        length.AcceptOnlyFromAmong("16", "32");
        var isJson = KeyOutput.CreateJsonOption();
        var command = new ToolCommand(
            terminal,
            "psk",
            "Create a random pre-shared key and print it as IDENTITY:0xHEX.",
            "coap keygen psk                        # a key with a random identity",
            "coap keygen psk --identity pump-7 --length 32");
        command.Add(identity);
        command.Add(length);
        command.Add(isJson);
        command.Runs((arguments, _) =>
        {
            var name = arguments.GetValue(identity) ?? $"client-{RandomNumberGenerator.GetHexString(2 * IdentityBytes, lowercase: true)}";
            var key = RandomNumberGenerator.GetBytes(int.Parse(arguments.GetValue(length)!, CultureInfo.InvariantCulture));
            Print(terminal, name, key, arguments.GetValue(isJson));
            return Task.FromResult(ExitCode.Success);
        });
        return command;
    }

    private static void Print(Terminal terminal, string identity, byte[] key, bool isJson)
    {
        if (identity.Contains(':', StringComparison.Ordinal))
        {
            throw new FormatException($"The identity '{identity}' contains a colon, which separates the identity from the key. Use another character.");
        }
        _ = new PreSharedKey(identity, key);      // refuses an identity that the protocol does not allow
        if (isJson) { KeyOutput.Write(terminal, isJson, ("identity", identity), ("key", $"0x{Convert.ToHexStringLower(key)}")); }
        else { terminal.Out.WriteLine($"{identity}:0x{Convert.ToHexStringLower(key)}"); }
    }
}
