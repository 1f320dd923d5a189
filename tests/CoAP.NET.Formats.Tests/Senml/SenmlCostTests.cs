using System.Buffers;
using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

public sealed class SenmlCostTests
{
    private static readonly DateTimeOffset Now = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);

    [Fact]
    public void The_examples_of_the_RFC_have_a_third_fewer_bytes_in_CBOR_than_in_JSON()
    {
        var packs = SenmlExamples.All.Select(SenmlExamples.Read).ToArray();

        var ratio = (double)packs.Sum(pack => SenmlCbor.ToBytes(pack).Length) / packs.Sum(pack => SenmlJson.ToBytes(pack).Length);

        ratio.Should().BeInRange(0.62, 0.70);
    }

    [Theory]
    [InlineData(ContentFormats.SenmlJson)]
    [InlineData(ContentFormats.SenmlCbor)]
    public void To_read_evaluate_and_answer_a_record_of_six_fields_allocates_less_than_2_KB(uint contentFormat)
    {
        IPayloadFormat format = contentFormat == ContentFormats.SenmlJson ? new SenmlJsonFormat() : new SenmlCborFormat();
        var output = new ArrayBufferWriter<byte>(1024);
        var record = new SenmlRecord { BaseName = "urn:dev:ow:1:", BaseTime = 1.7e9, Name = "level", Unit = "Cel", Time = 5, Value = 23.5 };
        format.Write(output, new SenmlPack { record });
        var payload = output.WrittenSpan.ToArray();

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++) { Answer(format, payload, output); }
        });

        (allocated / 100).Should().BeLessThan(2048);
    }

    private static void Answer(IPayloadFormat format, byte[] payload, ArrayBufferWriter<byte> output)
    {
        var measurement = format.Read<SenmlPack>(payload).ToMeasurements(Now)[0];
        output.ResetWrittenCount();
        format.Write(output, new SenmlPack { new SenmlRecord { Name = "level", Value = measurement.Value!.Value.Number + 1 } });
    }
}
