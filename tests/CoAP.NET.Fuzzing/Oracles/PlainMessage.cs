using CoAP.Fuzzing.Engine;
using CoAP.TestSupport;

namespace CoAP.Fuzzing.Oracles;

/// <summary>A message as an oracle has read it.</summary>
internal sealed record PlainMessage(int Type, int Code, int Id, string Token, string Options, string Payload)
{
    /// <summary>The same fields of a message that the library has read.</summary>
    public static PlainMessage Of(CoapMessage message)
    {
        var options = new List<string>();
        for (var reader = message.Options.Read(); reader.Next();) { options.Add($"{reader.Number}={Hex.Text(reader.Value)}"); }
        return new((int)message.Type, message.Code.Value, message.MessageId.Value, Hex.Text(message.Token.ToArray()), string.Join(' ', options), Hex.Text(message.Payload.Span));
    }

    /// <summary>Compares with what the library has read from the same bytes.</summary>
    public static void Compare(PlainMessage? expected, CoapMessage? actual, string what)
    {
        var read = actual is null ? null : Of(actual);
        FuzzFailure.ThrowIf(read != expected, $"{what}: the library reads {read?.ToString() ?? "an error"}, the oracle {expected?.ToString() ?? "an error"}.");
    }
}
