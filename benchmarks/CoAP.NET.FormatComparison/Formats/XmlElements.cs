using System.Xml;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>Values of the model as XML elements: the name of an element tells the type. A pair has its key in an attribute.</summary>
internal static class XmlElements
{
    public static void Write(XmlWriter writer, Datum value)
    {
        switch (value)
        {
            case BooleanDatum flag: writer.WriteElementString("bool", XmlConvert.ToString(flag.Value)); break;
            case Int32Datum number: writer.WriteElementString("int", XmlConvert.ToString(number.Value)); break;
            case Int64Datum number: writer.WriteElementString("long", XmlConvert.ToString(number.Value)); break;
            case SingleDatum number: writer.WriteElementString("float", XmlConvert.ToString(number.Value)); break;
            case DoubleDatum number: writer.WriteElementString("double", XmlConvert.ToString(number.Value)); break;
            case TextDatum text: writer.WriteElementString("text", text.Value); break;
            case PairDatum pair:
                writer.WriteStartElement("pair");
                writer.WriteAttributeString("key", pair.Key);
                Write(writer, pair.Value);
                writer.WriteEndElement();
                break;
            case ListDatum list:
                writer.WriteStartElement("list");
                foreach (var item in list.Items) { Write(writer, item); }
                writer.WriteEndElement();
                break;
        }
    }

    public static Datum Read(XmlReader reader)
    {
        switch (reader.LocalName)
        {
            case "bool": return new BooleanDatum(reader.ReadElementContentAsBoolean());
            case "int": return new Int32Datum(reader.ReadElementContentAsInt());
            case "long": return new Int64Datum(reader.ReadElementContentAsLong());
            case "float": return new SingleDatum(reader.ReadElementContentAsFloat());
            case "double": return new DoubleDatum(reader.ReadElementContentAsDouble());
            case "text": return new TextDatum(reader.ReadElementContentAsString());
            case "pair":
                var key = reader.GetAttribute("key") ?? throw new XmlException("A pair has no key.");
                reader.ReadStartElement();
                var pair = new PairDatum(key, Read(reader));
                reader.ReadEndElement();
                return pair;
            case "list": return new ListDatum([.. ReadChildren(reader)]);
            default: throw new XmlException($"The model has no element '{reader.LocalName}'.");
        }
    }

    private static List<Datum> ReadChildren(XmlReader reader)
    {
        var children = new List<Datum>();
        var isEmpty = reader.IsEmptyElement;
        reader.ReadStartElement();
        if (isEmpty) { return children; }
        while (reader.MoveToContent() == XmlNodeType.Element) { children.Add(Read(reader)); }
        reader.ReadEndElement();
        return children;
    }
}
