using System.Xml.Serialization;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Formats;

/// <summary>A list of the model in XML: the name of an element tells the type. These are the objects that an application with XML works with.</summary>
[XmlRoot("list")]
public sealed class XmlList
{
    [XmlElement("bool", typeof(bool))]
    [XmlElement("int", typeof(int))]
    [XmlElement("long", typeof(long))]
    [XmlElement("float", typeof(float))]
    [XmlElement("double", typeof(double))]
    [XmlElement("text", typeof(string))]
    [XmlElement("pair", typeof(XmlPair))]
    [XmlElement("list", typeof(XmlList))]
    public object[] Items { get; set; } = [];

    internal static XmlList Of(ListDatum list) => new() { Items = [.. list.Items.Select(Convert)] };

    internal ListDatum ToDatum() => new([.. Items.Select(Convert)]);

    internal static object Convert(Datum value) => value switch
    {
        BooleanDatum flag => flag.Value,
        Int32Datum number => number.Value,
        Int64Datum number => number.Value,
        SingleDatum number => number.Value,
        DoubleDatum number => number.Value,
        TextDatum text => text.Value,
        PairDatum pair => new XmlPair { Key = pair.Key, Value = Convert(pair.Value) },
        _ => Of((ListDatum)value),
    };

    internal static Datum Convert(object value) => value switch
    {
        bool flag => new BooleanDatum(flag),
        int number => new Int32Datum(number),
        long number => new Int64Datum(number),
        float number => new SingleDatum(number),
        double number => new DoubleDatum(number),
        string text => new TextDatum(text),
        XmlPair pair => new PairDatum(pair.Key, Convert(pair.Value)),
        _ => ((XmlList)value).ToDatum(),
    };
}

/// <summary>A pair of the model in XML.</summary>
public sealed class XmlPair
{
    [XmlAttribute("key")]
    public string Key { get; set; } = "";

    [XmlElement("bool", typeof(bool))]
    [XmlElement("int", typeof(int))]
    [XmlElement("long", typeof(long))]
    [XmlElement("float", typeof(float))]
    [XmlElement("double", typeof(double))]
    [XmlElement("text", typeof(string))]
    [XmlElement("list", typeof(XmlList))]
    public object Value { get; set; } = "";
}

/// <summary>A node of the integer tree in XML.</summary>
[XmlRoot("value")]
public sealed class XmlTree
{
    [XmlElement("value")]
    public int Value { get; set; }

    [XmlArray("children")]
    [XmlArrayItem("item")]
    public XmlTree[] Children { get; set; } = [];

    internal static XmlTree Of(IntTree tree) => new() { Value = tree.Value, Children = [.. tree.Children.Select(Of)] };

    internal IntTree ToTree() => new(Value, [.. Children.Select(static child => child.ToTree())]);
}
