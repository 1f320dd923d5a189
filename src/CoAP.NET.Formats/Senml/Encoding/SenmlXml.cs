using System.Buffers;
using System.Buffers.Text;
using System.Runtime.InteropServices;
using System.Text;
using System.Xml;

namespace CoAP.Formats;

/// <summary>Writes and reads SenML in XML (RFC 8428, section 7). <see cref="SenmlXmlFormat"/> is the format for requests and responses.</summary>
public static class SenmlXml
{
    internal const string Namespace = "urn:ietf:params:xml:ns:senml";
    internal const string PackElement = "sensml";
    internal const string RecordElement = "senml";

    // The parser holds all attributes of a tag at once, also those that are ignored.
    private const int MostAttributes = 1024;

    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false, throwOnInvalidBytes: true);
    private static readonly XmlWriterSettings WriterSettings = new() { Encoding = Utf8, OmitXmlDeclaration = true };

    /// <summary>Writes a pack.</summary>
    /// <param name="output">Receives the XML text in UTF-8.</param>
    /// <param name="pack">The pack.</param>
    /// <param name="settings">The rules for names; <see langword="null"/> for the default ones.</param>
    /// <exception cref="ArgumentException">The pack has no record, or a record breaks a rule of RFC 8428 or of XML.</exception>
    public static void Write(IBufferWriter<byte> output, SenmlPack pack, SenmlSettings? settings = null)
    {
        ArgumentNullException.ThrowIfNull(output);
        output.Write(ToBytes(pack, settings));
    }

    /// <summary>Returns a pack as XML text in UTF-8.</summary>
    /// <inheritdoc cref="Write" path="/exception"/>
    public static byte[] ToBytes(SenmlPack pack, SenmlSettings? settings = null)
    {
        SenmlChecks.Check(pack, settings);
        using var stream = new MemoryStream();
        using (var writer = XmlWriter.Create(stream, WriterSettings))
        {
            writer.WriteStartElement(PackElement, Namespace);
            foreach (var record in pack) { WriteRecord(writer, record); }
            writer.WriteEndElement();
        }
        return stream.ToArray();
    }

    /// <summary>Reads a pack.</summary>
    /// <param name="payload">The XML text in UTF-8.</param>
    /// <param name="limits">The bounds of what the payload may cost; <see langword="null"/> for the default ones.</param>
    /// <param name="settings">The bounds and rules of SenML; <see langword="null"/> for the default ones.</param>
    /// <exception cref="CoapPayloadException">The payload is not a valid pack, or exceeds a limit.</exception>
    public static SenmlPack Read(ReadOnlyMemory<byte> payload, PayloadLimits? limits = null, SenmlSettings? settings = null)
    {
        limits ??= PayloadLimits.Default;
        limits.CheckSize(payload.Length);
        XmlTags.Check(payload.Span, limits.MaxSize, MostAttributes);
        var bytes = payload.Span.StartsWith(Encoding.UTF8.Preamble) ? payload[Encoding.UTF8.Preamble.Length..] : payload;
        var array = MemoryMarshal.TryGetArray(bytes, out var segment) ? segment : new ArraySegment<byte>(bytes.ToArray());
        using var stream = new MemoryStream(array.Array!, array.Offset, array.Count, writable: false);
        // Through a reader of text, the declaration of another encoding has no effect: only UTF-8 is allowed.
        using var text = new StreamReader(stream, Utf8, detectEncodingFromByteOrderMarks: false);
        var builder = new SenmlRecordBuilder(limits, settings ?? SenmlSettings.Default);
        try
        {
            using var reader = XmlReader.Create(text, ReaderSettings(limits));
            return new SenmlXmlReader(reader, builder, limits).ReadPack();
        }
        catch (XmlException exception) { throw SenmlXmlReader.Malformed(exception); }
        catch (DecoderFallbackException exception) { throw SenmlXmlReader.Malformed(exception); }
    }

    private static XmlReaderSettings ReaderSettings(PayloadLimits limits) => new()
    {
        DtdProcessing = DtdProcessing.Prohibit,
        XmlResolver = null,
        IgnoreComments = true,
        IgnoreProcessingInstructions = true,
        IgnoreWhitespace = true,
        MaxCharactersInDocument = limits.MaxSize,
    };

    private static void WriteRecord(XmlWriter writer, SenmlRecord record)
    {
        writer.WriteStartElement(RecordElement, Namespace);
        for (var label = SenmlLabel.BaseName; label < SenmlLabel.Unknown; label++)
        {
            if (record.ValueOf(label) is not { } value) { continue; }
            writer.WriteAttributeString(SenmlLabels.NameOf(label), label == SenmlLabel.TextValue ? SenmlXmlTexts.Escape(value.Text) : TextOf(value));
        }
        foreach (var extension in record.Extensions)
        {
            // XML has this attribute for the namespace, so no receiver would see the extension.
            if (extension.Label == "xmlns") { throw new ArgumentException("Extension 'xmlns' cannot be written as XML.", nameof(record)); }
            writer.WriteAttributeString(extension.Label, TextOf(extension.Value));
        }
        writer.WriteEndElement();
    }

    private static string TextOf(SenmlValue value) => value.Kind switch
    {
        SenmlValueKind.Number => SenmlXmlNumbers.Format(value.Number),
        SenmlValueKind.Boolean => XmlConvert.ToString(value.Boolean),
        SenmlValueKind.Text => value.Text,
        _ => Base64Url.EncodeToString(value.Data.Span),
    };
}
