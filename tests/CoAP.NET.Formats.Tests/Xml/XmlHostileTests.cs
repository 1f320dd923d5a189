namespace CoAP.Formats.Tests;

public sealed class XmlHostileTests
{
    private const int Seed = 41;

    [Fact]
    public void Random_bytes_break_no_serializer()
    {
        var format = new XmlSerializerFormat([typeof(XmlDevice)]);
        byte[][] valid =
        [
            JsonFormatTests.Written(format, new XmlDevice { Id = 7, Tags = ["a"], Children = [new XmlDevice()] }),
            """<?xml version="1.0" encoding="utf-8"?><a xmlns:n="urn:x"><!-- c --><n:name b="&lt;&#65;">x<![CDATA[<y>]]>&amp;</n:name></a>"""u8.ToArray(),
            "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"u8.ToArray(),
        ];
        HostileInputs.Run(valid, bytes => _ = format.Read<XmlDevice>(bytes), Seed + 2);
    }
}
