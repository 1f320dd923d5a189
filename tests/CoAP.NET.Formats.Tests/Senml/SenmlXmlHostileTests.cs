namespace CoAP.Formats.Tests;

public sealed class SenmlXmlHostileTests
{
    [Fact]
    public void Random_bytes_break_nothing()
    {
        const int Seed = 310;
        var random = new Random(Seed);
        byte[][] documents = [.. SenmlExamples.All.Select(pack => SenmlXml.ToBytes(SenmlExamples.Read(pack)))];
        for (var i = 0; i < HostileInputs.Count; i++)
        {
            var input = HostileInputs.Next(random, documents);
            var before = GC.GetAllocatedBytesForCurrentThread();
            try { SenmlXml.Read(input); }
            catch (CoapPayloadException) { }
            var allocated = GC.GetAllocatedBytesForCurrentThread() - before;

            // The reader of XML of the runtime has buffers of 50 KB and long messages.
            allocated.Should().BeLessThan((128 << 10) + (256L * input.Length), $"seed {Seed}, input {i}");
        }
    }
}
