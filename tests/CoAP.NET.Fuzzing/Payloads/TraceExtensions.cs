using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Payloads;

/// <summary>Features of values.</summary>
internal static class TraceExtensions
{
    /// <summary>Adds which kinds of characters follow one another in a text. Thus values with another structure have other features.</summary>
    public static void AddShape(this Trace trace, string text)
    {
        var before = ' ';
        foreach (var one in text)
        {
            var kind = char.IsAsciiDigit(one) ? '0' : char.IsAsciiLetter(one) ? 'a' : one > '~' ? '~' : one;
            trace.Add("shape", (before << 16) | kind);
            before = kind;
        }
    }
}
