using System.Text;
using CoAP.Discovery;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>Prints a payload in the form that suits its Content-Format.</summary>
internal sealed class PayloadPrinter(IAnsiConsole console)
{
    private const int LargestIndented = 1 << 20;

    private static readonly UTF8Encoding StrictUtf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public void Print(CoapResponse response)
    {
        if (response.Problem is { } problem) { WriteLines(Printable.Of(problem.ToString(), keepsLines: true)); }
        else { Print(response.ContentFormat, response.Payload); }
    }

    public void Print(uint? format, ReadOnlyMemory<byte> payload)
    {
        if (payload.IsEmpty) { return; }
        if (SenmlTable.TryRead(format, payload) is { } measurements) { console.Write(SenmlTable.Create(measurements)); }
        else if (format == ContentFormats.LinkFormat && LinkFormat.TryParse(payload.Span, out var links, out _)) { console.Write(LinkTable.Create(links!)); }
        else if (IsJson(format) && payload.Length <= LargestIndented && new JsonText(console).TryPrint(payload)) { return; }
        else if (IsCbor(format) && TryDescribe(payload.Span) is { } notation) { WriteLines(notation); }
        else if (TryDecode(payload.Span) is { } text) { WriteLines(Printable.Of(text, keepsLines: true)); }
        else { WriteLines(HexDump.Of(payload.Span)); }
    }

    /// <summary>Whether the format is JSON or, with the suffix "+json", based on it.</summary>
    public static bool IsJson(uint? format) => HasSyntax(format, "json");

    /// <summary>Whether the format is CBOR or, with the suffix "+cbor", based on it.</summary>
    public static bool IsCbor(uint? format) => HasSyntax(format, "cbor") || format == ContentFormats.CborSequence;

    /// <summary>Returns the text of a payload in UTF-8; <see langword="null"/> if it is something else.</summary>
    public static string? TryDecode(ReadOnlySpan<byte> payload)
    {
        try
        {
            var text = StrictUtf8.GetString(payload);
            return text.Contains('\0') ? null : text;
        }
        catch (DecoderFallbackException)
        {
            return null;
        }
    }

    private static string? TryDescribe(ReadOnlySpan<byte> payload)
    {
        try { return CborDiagnostics.Describe(payload); }
        catch (FormatException) { return null; }
    }

    private static bool HasSyntax(uint? format, string syntax) =>
        format is { } number && ContentFormats.TryGetName(number, out var name, out var coding) && coding is null
        && name!.Split(';')[0] is var type && (type.EndsWith($"/{syntax}", StringComparison.Ordinal) || type.EndsWith($"+{syntax}", StringComparison.Ordinal));

    // Written as text, so that brackets are not taken for markup and lines are not wrapped.
    private void WriteLines(string text) => console.Profile.Out.Writer.WriteLine(text.TrimEnd('\n'));
}
