using System.Runtime.InteropServices;
using System.Text;
using System.Xml;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>Values of the model in XML, written by hand over the classes of System.Xml that <see cref="XmlFormat"/> uses.</summary>
internal sealed class XmlDatumFormat : PayloadFormat<Datum>
{
    private readonly XmlDictionaryReaderQuotas _quotas = new();

    public XmlDatumFormat(PayloadLimits limits)
        : base(ContentFormats.Xml, FormatNames.Xml)
    {
        XmlDictionaryReaderQuotas.Max.CopyTo(_quotas);
        // The element of a number counts too.
        _quotas.MaxDepth = limits.MaxDepth + 1;
    }

    protected override void Write(IBufferWriter<byte> output, Datum value)
    {
        using var stream = new MemoryStream();
        using (var writer = XmlDictionaryWriter.CreateTextWriter(stream, Encoding.UTF8, ownsStream: false)) { XmlElements.Write(writer, value); }
        output.Write(stream.GetBuffer().AsSpan(0, (int)stream.Length));
    }

    protected override Datum Read(ReadOnlyMemory<byte> payload)
    {
        if (!MemoryMarshal.TryGetArray(payload, out var bytes)) { bytes = payload.ToArray(); }
        using var reader = XmlDictionaryReader.CreateTextReader(bytes.Array!, bytes.Offset, bytes.Count, _quotas);
        try
        {
            reader.MoveToContent();
            return XmlElements.Read(reader);
        }
        catch (XmlException exception) { throw new CoapPayloadException($"Invalid XML: {exception.Message}", innerException: exception); }
    }
}
