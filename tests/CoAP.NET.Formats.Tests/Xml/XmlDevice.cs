using System.Xml.Serialization;

namespace CoAP.Formats.Tests;

[XmlRoot("device", Namespace = "urn:example")]
public sealed class XmlDevice
{
    [XmlAttribute("id")]
    public int Id { get; set; }

    [XmlElement("tag")]
    public List<string> Tags { get; set; } = [];

    [XmlElement("device")]
    public List<XmlDevice> Children { get; set; } = [];
}
