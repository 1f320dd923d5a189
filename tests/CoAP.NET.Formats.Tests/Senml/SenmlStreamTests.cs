using System.Text;

namespace CoAP.Formats.Tests;

public sealed class SenmlStreamTests
{
    private const uint Json = ContentFormats.SensmlJson;
    private const uint Cbor = ContentFormats.SensmlCbor;

    private static readonly DateTimeOffset Now = new(2026, 5, 4, 3, 2, 1, TimeSpan.Zero);

    [Fact]
    [Trait("RFC", "8428 5.1.2"), Trait("RFC", "8428 12.3")]
    public void A_stream_that_is_not_closed_is_read_like_the_example()
    {
        var resolver = new SenmlResolver();
        var measurements = SenmlStream.Read(new MemoryStream(Encoding.UTF8.GetBytes(SenmlExamples.Stream)), Json)
            .Select(record => resolver.ToMeasurement(record, Now)!).ToArray();

        measurements.Should().HaveCount(9).And.OnlyContain(one => one.Name == "urn:dev:ow:10e2073a01080063" && one.Unit == "%RH");
        measurements[8].Value.Should().Be(new SenmlValue(21.7));
        measurements[8].Time.Should().Be(DateTimeOffset.FromUnixTimeSeconds(1320067544));
    }

    [Theory]
    [Trait("RFC", "8428 4.8")]
    [InlineData(Json)]
    [InlineData(Cbor)]
    public void A_record_is_available_when_its_last_byte_has_arrived(uint contentFormat)
    {
        var records = SenmlExamples.Read(SenmlExamples.MultipleMeasurements).ToArray();
        var bytes = Write(records, contentFormat);
        using var stream = new DripStream(bytes);

        var ends = new List<long>();
        foreach (var record in SenmlStream.Read(stream, contentFormat))
        {
            record.Should().Be(records[ends.Count]);
            ends.Add(stream.Position);
        }

        ends.Should().HaveCount(records.Length).And.BeInAscendingOrder();
        ends[0].Should().Be(Write(records[..1], contentFormat).Length - 1);
    }

    [Theory]
    [InlineData(Json)]
    [InlineData(Cbor)]
    public async Task Records_survive_asynchronous_writing_and_reading(uint contentFormat)
    {
        var records = SenmlExamples.Read(SenmlExamples.MultipleTypes).ToArray();
        using var stream = new MemoryStream();
        await SenmlStream.WriteAsync(stream, Async(records), contentFormat);
        stream.Position = 0;

        var read = new List<SenmlRecord>();
        await foreach (var record in SenmlStream.ReadAsync(stream, contentFormat)) { read.Add(record); }

        read.Should().Equal(records);
        stream.ToArray().Should().Equal(Write(records, contentFormat));
    }

    [Fact]
    [Trait("RFC", "8428 6")]
    public void A_stream_in_CBOR_is_an_array_of_indefinite_length() =>
        Write([new SenmlRecord { Name = "a", Value = 1 }], Cbor).Should().Equal(0x9f, 0xa2, 0x00, 0x61, 0x61, 0x02, 0x01, 0xff);

    [Fact]
    public void A_pack_in_CBOR_is_a_stream_too() =>
        SenmlStream.Read(new MemoryStream(SenmlExamples.FromHex(SenmlExamples.SeriesInCbor)), Cbor).Should().HaveCount(7);

    [Fact]
    public void Items_of_all_kinds_are_framed()
    {
        var bytes = SenmlExamples.FromHex(
            "9f bf 00 7f 61 61 61 62 ff 02 c4 82 20 18e7 61 78 9f 01 82 02 03 a1 40 f6 ff 61 79 5f 41 00 ff 61 7a c1 00 61 71 f8 ff ff ff");
        using var stream = new DripStream(bytes);

        SenmlStream.Read(stream, Cbor).Should().Equal(new SenmlRecord { Name = "ab", Value = 23.1, Extensions = [new("y", new byte[] { 0 })] });
    }

    [Theory]
    [InlineData("""{"n":"a","v":1}""", "The stream has 0x7b where an array is required (at byte 0).")]
    [InlineData("""[{"n":"a","v":1}{""", "The stream has 0x7b where a comma or the end of the array is required (at byte 16).")]
    [InlineData("""[{"n":"a","v":1},]""", "The stream has 0x5d where an object is required (at byte 17).")]
    [InlineData("""[{"n":"a","v":1}, {"n":"a","v":"1"}]""", "Record 2: field 'v' is a text; a number is required (at byte 31).")]
    [InlineData("""[{"n":"a","v":1}, {"n":"a","v":]}]""", "The JSON text is malformed: * (at byte 31).")]
    [InlineData("""[{"n":"a]}",""", "The stream ends inside a record (at byte 1).")]
    public void Errors_in_JSON_have_the_offset_in_the_stream(string json, string message)
    {
        var read = () => SenmlStream.Read(new DripStream(Encoding.UTF8.GetBytes(json)), Json).ToArray();

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Theory]
    [InlineData("a0", "The stream does not begin with an array (at byte 0).")]
    [InlineData("9fa20061610201a2006161026131ff", "Record 2: field 'v' is a text; a number is required (at byte 12).")]
    [InlineData("9f5bffffffffffffffff", "The string has 18446744073709551615 bytes; at most 16777216 are allowed (at byte 10).")]
    [InlineData("9fa1fe", "0xfe does not begin an item (at byte 2).")]
    [InlineData("9fa1ff", "A break is outside of an item without a length (at byte 3).")]
    [InlineData("9fa20061610201a200", "The stream ends inside a record (at byte 7).")]
    public void Errors_in_CBOR_have_the_offset_in_the_stream(string hex, string message)
    {
        var read = () => SenmlStream.Read(new DripStream(Convert.FromHexString(hex)), Cbor).ToArray();

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Theory]
    [InlineData(Json)]
    [InlineData(Cbor)]
    public void A_record_is_bounded_and_the_stream_is_not(uint contentFormat)
    {
        var bytes = Write(Enumerable.Repeat(new SenmlRecord { Name = "a", TextValue = new string('x', 5000) }, 100), contentFormat);

        SenmlStream.Read(new MemoryStream(bytes), contentFormat, new() { MaxSize = 20_000 }, new() { MaxRecords = 1 }).Should().HaveCount(100);
        var read = () => SenmlStream.Read(new DripStream(bytes), contentFormat, new() { MaxSize = 4000 }).ToArray();
        read.Should().Throw<CoapPayloadException>().WithMessage("A record has over *; at most 4000 are allowed (at byte 1).");
    }

    [Theory]
    [Trait("RFC", "8428 4.8"), Trait("RFC", "8428 12.3")]
    [InlineData(ContentFormats.SenmlJson)]
    [InlineData(ContentFormats.SenmlCbor)]
    [InlineData(ContentFormats.SenmlXml)]
    [InlineData(ContentFormats.Json)]
    public async Task A_stream_is_neither_read_nor_written_as_the_Content_Format_of_a_pack(uint contentFormat)
    {
        using var stream = new MemoryStream();
        SenmlRecord[] records = [new() { Name = "a", Value = 1 }];
        var message = $"Content-Format {contentFormat} is not a SenML stream; 111 and 113 are.*";
        var read = () => SenmlStream.Read(stream, contentFormat);
        var readLater = () => SenmlStream.ReadAsync(stream, contentFormat);
        var write = () => SenmlStream.Write(stream, records, contentFormat);
        var writeLater = () => SenmlStream.WriteAsync(stream, Async(records), contentFormat);

        read.Should().Throw<ArgumentException>().WithMessage(message);
        readLater.Should().Throw<ArgumentException>().WithMessage(message);
        write.Should().Throw<ArgumentException>().WithMessage(message);
        (await writeLater.Should().ThrowAsync<ArgumentException>()).WithMessage(message);
        stream.Length.Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "8428 4.8"), Trait("RFC", "8428 12.3")]
    public void Packs_and_streams_have_Content_Formats_of_their_own()
    {
        IPayloadFormat[] packs = [new SenmlJsonFormat(), new SenmlCborFormat(), new SenmlXmlFormat()];

        packs.Select(format => format.ContentFormat).Should().Equal(110, 112, 310);
        new[] { Json, Cbor }.Should().Equal(111, 113);
    }

    private static byte[] Write(IEnumerable<SenmlRecord> records, uint contentFormat)
    {
        using var stream = new MemoryStream();
        SenmlStream.Write(stream, records, contentFormat);
        return stream.ToArray();
    }

    private static async IAsyncEnumerable<SenmlRecord> Async(IEnumerable<SenmlRecord> records)
    {
        foreach (var record in records)
        {
            await Task.Yield();
            yield return record;
        }
    }

    /// <summary>Gives one byte at a time.</summary>
    private sealed class DripStream(byte[] bytes) : MemoryStream(bytes)
    {
        public override int Read(Span<byte> buffer) => base.Read(buffer[..1]);
    }
}
