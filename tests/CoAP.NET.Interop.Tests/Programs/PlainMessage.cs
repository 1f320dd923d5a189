using System.Text;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Messages of CoAP by hand, without the library's help (RFC 7252, section 3).</summary>
internal static class PlainMessage
{
    private const byte Confirmable = 0x40, AcknowledgementOfNothing = 0x60;
    private const byte Get = 0x01, Content = 0x45;
    private const byte IdHigh = 0x12, IdLow = 0x34, Token = 0x7A;
    private const byte UriPath = 11 << 4, Marker = 0xFF;
    private const int HeaderLength = 4, MaxToken = 8;

    /// <summary>A confirmable GET of a path with one segment.</summary>
    public static byte[] GetOf(string path) => [Confirmable + 1, Get, IdHigh, IdLow, Token, (byte)(UriPath | path.Length), .. Encoding.ASCII.GetBytes(path)];

    /// <summary>How the answer to <see cref="GetOf"/> begins, if it is 2.05 in the acknowledgement: one character per byte.</summary>
    public static string Answer { get; } = Encoding.Latin1.GetString([AcknowledgementOfNothing + 1, Content, IdHigh, IdLow, Token]);

    /// <summary>Finds the last confirmable GET of a path with one segment in a text with one character per byte.</summary>
    public static byte[]? FindGetOf(string path, string text)
    {
        var option = text.LastIndexOf($"{(char)(UriPath | path.Length)}{path}", StringComparison.Ordinal);
        for (var length = 0; length <= MaxToken; length++)
        {
            var start = option - length - HeaderLength;
            if (start >= 0 && text[start] == Confirmable + length && text[start + 1] == Get) { return Encoding.Latin1.GetBytes(text[start..(option + 1 + path.Length)]); }
        }
        return null;
    }

    /// <summary>The acknowledgement of a request with 2.05 and a payload.</summary>
    public static byte[] ContentFor(ReadOnlySpan<byte> request, string payload)
    {
        var tokenLength = request[0] & 15;
        return
        [
            (byte)(AcknowledgementOfNothing | tokenLength), Content, request[2], request[3], .. request.Slice(HeaderLength, tokenLength),
            Marker, .. Encoding.ASCII.GetBytes(payload),
        ];
    }
}
