using System.Buffers;
using System.Text;

namespace CoAP.Vocabulary;

/// <summary>text/plain in UTF-8 (RFC 7252, section 12.3).</summary>
internal sealed class TextFormat() : PayloadFormat<string>(ContentFormats.TextPlain, "text")
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    protected override void Write(IBufferWriter<byte> output, string value) => Strict.GetBytes(value, output);

    protected override string Read(ReadOnlyMemory<byte> payload)
    {
        try { return Strict.GetString(payload.Span); }
        catch (DecoderFallbackException exception)
        {
            throw new CoapPayloadException($"The text is not valid UTF-8 (at byte {exception.Index}).", exception.Index, exception);
        }
    }
}
