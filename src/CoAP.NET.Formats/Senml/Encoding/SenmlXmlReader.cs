using System.Text;
using System.Xml;

namespace CoAP.Formats;

/// <summary>Reads the elements and attributes of a pack in XML.</summary>
internal sealed class SenmlXmlReader(XmlReader reader, SenmlRecordBuilder builder, PayloadLimits limits)
{
    // The reader of the runtime does not report the offset in bytes.
    private const long Unknown = SenmlRecordBuilder.UnknownOffset;

    public SenmlPack ReadPack()
    {
        if (reader.MoveToContent() != XmlNodeType.Element || !IsElement(SenmlXml.PackElement))
        {
            throw new CoapPayloadException($"The payload is no element 'sensml' of the namespace '{SenmlXml.Namespace}' (RFC 8428, section 7).");
        }
        CheckAttributes();
        var pack = new SenmlPack();
        if (!reader.IsEmptyElement)
        {
            while (reader.Read() && reader.NodeType != XmlNodeType.EndElement) { ReadNode(pack); }
        }
        while (reader.Read())
        {
            // The rest has to be well-formed.
        }
        return pack.Count > 0 ? pack : throw new CoapPayloadException("The pack has no record; at least 1 is required.");
    }

    public static CoapPayloadException Malformed(Exception exception) =>
        new($"The XML text is malformed: {exception.Message}", innerException: exception);

    private void ReadNode(SenmlPack pack)
    {
        if (reader.NodeType != XmlNodeType.Element) { return; }
        if (IsElement(SenmlXml.RecordElement)) { AddRecord(pack); }
        SkipContent();
    }

    private bool IsDeclaration => reader.Prefix == "xmlns" || reader.Name == "xmlns";

    private void CheckAttributes()
    {
        while (reader.MoveToNextAttribute())
        {
            if (IsDeclaration || builder.IsUnderstood(reader.Name)) { continue; }
            throw new CoapPayloadException(
                $"The pack: attribute '{TextErrors.Quote(reader.Name)}' must be understood and is not (RFC 8428, sections 4.4 and 12.3).");
        }
        reader.MoveToElement();
    }

    private void AddRecord(SenmlPack pack)
    {
        builder.Begin(Unknown);
        while (reader.MoveToNextAttribute())
        {
            if (IsDeclaration) { continue; }
            if (reader.Prefix.Length > 0)       // such as xml:lang: no field, but the sender may demand that it is understood
            {
                builder.ThrowIfNotUnderstood(reader.Name, Unknown);
                continue;
            }
            var label = builder.Accept(Encoding.UTF8.GetBytes(reader.Name), Unknown);
            if (label != SenmlLabel.Unknown) { ReadField(label, reader.Value); }
            else if (builder.WantsExtension && builder.IsWithinLimit(reader.Value.Length)) { builder.SetExtension(reader.Value); }
        }
        reader.MoveToElement();
        pack.Add(builder.End());
    }

    private void ReadField(SenmlLabel label, string text)
    {
        builder.CheckLength(label, text.Length, Unknown);
        switch (SenmlLabels.KindOf(label))
        {
            case SenmlValueKind.Number:
                builder.Set(label, SenmlXmlNumbers.Parse(text) ?? throw builder.WrongType(label, "a text", Unknown), Unknown);
                break;
            case SenmlValueKind.Text when label == SenmlLabel.TextValue:
                builder.Set(label, SenmlXmlTexts.Unescape(text) ?? throw builder.Error("field 'vs' has an invalid escape sequence", Unknown));
                break;
            case SenmlValueKind.Text:
                builder.Set(label, text);
                break;
            case SenmlValueKind.Boolean:
                builder.Set(SenmlXmlNumbers.ParseBoolean(text) ?? throw builder.WrongType(label, "a text", Unknown));
                break;
            default:
                builder.Set(SenmlBase64.Decode(Encoding.UTF8.GetBytes(text)) ?? throw builder.Error("field 'vd' is not base64url", Unknown));
                break;
        }
    }

    private bool IsElement(string name) => reader.LocalName == name && reader.NamespaceURI == SenmlXml.Namespace;

    // Elements that RFC 8428 does not define are ignored.
    private void SkipContent()
    {
        if (reader.IsEmptyElement) { return; }
        var depth = reader.Depth;
        while (reader.Read() && reader.Depth > depth)
        {
            if (reader.Depth >= limits.MaxDepth) { throw new CoapPayloadException($"Elements are nested more than {limits.MaxDepth} levels deep."); }
        }
    }
}
