namespace CoAP.Formats.Tests;

public sealed class SenmlXmlHostileTests
{
    [Fact]
    public void Random_bytes_break_nothing()
    {
        byte[][] documents = [.. SenmlExamples.All.Select(pack => SenmlXml.ToBytes(SenmlExamples.Read(pack)))];
        // The reader of XML of the runtime has buffers of 50 KB and long messages.
        HostileInputs.Run(documents, input => SenmlXml.Read(input), seed: 310, fixedBytes: 128 << 10);
    }
}
