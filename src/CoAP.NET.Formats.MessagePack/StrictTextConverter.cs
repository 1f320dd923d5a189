using System.Text;
using Nerdbank.MessagePack;

namespace CoAP.Formats;

/// <summary>Texts: invalid UTF-8 and lone surrogates are errors. By default, Nerdbank.MessagePack replaces them.</summary>
internal sealed class StrictTextConverter : MessagePackConverter<string>
{
    private static readonly UTF8Encoding Strict = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);

    public override string? Read(ref MessagePackReader reader, SerializationContext context) =>
        reader.TryReadNil() ? null : Strict.GetString(reader.ReadStringSpan());

    public override void Write(ref MessagePackWriter writer, in string? value, SerializationContext context)
    {
        if (value is not null) { Strict.GetByteCount(value); }
        writer.Write(value);
    }
}
