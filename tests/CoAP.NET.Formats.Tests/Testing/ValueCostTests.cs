using System.Text;
using CoAP.Formats.Tests.Shapes;

namespace CoAP.Formats.Tests;

/// <summary>What a value costs in memory is bounded, not only the number of its items.</summary>
public sealed class ValueCostTests
{
    private const int MiB = 1 << 20;

    private static readonly PayloadLimits Limits = new() { MaxMemory = 8 * MiB };

    [Fact]
    public void Empty_CBOR_lists_are_refused_when_they_cost_too_much()
    {
        var payload = CborArrays(2 * MiB, item: 0x80);
        var format = new CborFormat(TestContracts.Default, Limits);

        var (bytes, error) = Refusals.Of(() => format.Read<List<List<Reading>>>(payload));

        bytes.Should().BeLessThan(12 * MiB);
        error.Message.Should().Match("The value takes too much memory; at most 8388608 bytes are allowed (at byte *).");
    }

    [Fact]
    public void Maps_without_entries_are_refused_when_they_cost_too_much()
    {
        byte[] payload = [0xa1, 0x68, .. "Children"u8, .. CborArrays(2 * MiB, item: 0xa0)];
        var format = new CborFormat(TestContracts.Default, Limits);

        var (bytes, error) = Refusals.Of(() => format.Read<Node>(payload));

        bytes.Should().BeLessThan(12 * MiB);
        error.Message.Should().StartWith("Node: the value takes too much memory; at most 8388608 bytes are allowed (at byte ");
    }

    [Fact]
    public void An_array_is_refused_before_there_is_room_for_all_that_it_announces()
    {
        var payload = AnnouncedDoubles(2 * MiB);
        var format = new CborFormat(TestContracts.Default, Limits);

        var (bytes, error) = Refusals.Of(() => format.Read<Collected>(payload));

        bytes.Should().BeLessThan(MiB);
        error.Message.Should().Contain("takes too much memory; at most 8388608 bytes are allowed");
    }

    [Fact]
    public void Items_of_a_stream_are_bounded_one_by_one_and_a_list_of_them_as_a_whole()
    {
        var format = new CborFormat(TestContracts.Default, Limits);
        var payload = CborArrays(2 * MiB, item: 0x80);

        format.ReadItems<List<Reading>>(new MemoryStream(payload)).Count().Should().Be(2 * MiB);
        var (_, error) = Refusals.Of(() => format.ReadList<List<Reading>>(new MemoryStream(payload)));

        error.Message.Should().StartWith("The value takes too much memory; at most 8388608 bytes are allowed");
    }

    [Fact]
    public void Empty_JSON_arrays_are_refused_before_they_are_read()
    {
        var format = JsonFormat.WithReflection(limits: Limits);
        var json = Encoding.UTF8.GetBytes($"[{string.Join(',', Enumerable.Repeat("[]", 200_000))}]");

        var (bytes, error) = Refusals.Of(() => format.Read<List<List<int>>>(json));

        bytes.Should().BeLessThan(MiB);
        error.Message.Should().Match("The value takes too much memory; at most 8388608 bytes are allowed (at byte *).");
    }

    [Fact]
    public void Brackets_in_a_JSON_text_cost_nothing()
    {
        var format = JsonFormat.WithReflection(limits: Limits);

        format.Read<string>(Encoding.UTF8.GetBytes($"\"{new string('[', 200_000)}\"")).Should().HaveLength(200_000);
    }

    [Fact]
    public void Empty_MessagePack_arrays_are_refused_before_they_are_read()
    {
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, Limits);
        byte[] payload = [0xdd, 0, 3, 0, 0, .. Enumerable.Repeat((byte)0x90, 3 << 16)];

        var (bytes, error) = Refusals.Of(() => format.Read<int[][][][]>(payload));

        bytes.Should().BeLessThan(MiB);
        error.Message.Should().StartWith("The value takes too much memory; at most 8388608 bytes are allowed (at byte ");
    }

    [Fact]
    public void Empty_Protobuf_messages_are_refused_before_they_are_read()
    {
        IPayloadFormat format = new ProtobufFormat<Generated.Reading>(Generated.Reading.Parser, Limits);
        byte[] payload = [.. Enumerable.Repeat((byte[])[0x2a, 0x00], 3 << 16).SelectMany(one => one)];

        var (bytes, error) = Refusals.Of(() => format.Read<Generated.Reading>(payload));

        bytes.Should().BeLessThan(MiB);
        error.Message.Should().StartWith("The value takes too much memory; at most 8388608 bytes are allowed (at byte ");
    }

    [Fact]
    public void Empty_XML_elements_are_refused_before_they_are_read()
    {
        var format = new XmlSerializerFormat([typeof(XmlDevice)], Limits);
        var xml = $"<device xmlns='urn:example'>{string.Concat(Enumerable.Repeat("<tag/>", 3 << 16))}</device>";

        var (_, error) = Refusals.Of(() => format.Read<XmlDevice>(Encoding.UTF8.GetBytes(xml)));

        error.Message.Should().StartWith("The value takes too much memory; at most 8388608 bytes are allowed");
    }

    [Fact]
    public void SenML_in_XML_has_few_attributes_in_a_tag()
    {
        var attributes = string.Join(' ', Enumerable.Range(0, 100_000).Select(i => $"a{i}=''"));
        var payload = Encoding.UTF8.GetBytes($"<sensml xmlns='urn:ietf:params:xml:ns:senml'><senml {attributes}/></sensml>");

        var (bytes, error) = Refusals.Of(() => SenmlXml.Read(payload));

        bytes.Should().BeLessThan(64 << 10);
        error.Message.Should().Be("A start tag has more than 1024 attributes; at most 1024 are allowed (at byte 45).");
    }

    [Fact]
    public void The_default_limit_allows_the_largest_body_of_numbers()
    {
        var format = new CborFormat(TestContracts.Default);

        format.Read<List<int>>(CborArrays(MiB, item: 0x01)).Should().HaveCount(MiB);
        format.Read<List<List<Reading>>>(CborArrays(MiB, item: 0x80)).Should().HaveCount(MiB);
    }

    private static byte[] CborArrays(int count, byte item)
    {
        var payload = new byte[count + 5];
        payload[0] = 0x9a;
        System.Buffers.Binary.BinaryPrimitives.WriteInt32BigEndian(payload.AsSpan(1), count);
        payload.AsSpan(5).Fill(item);
        return payload;
    }

    // { "Doubles": [...] } with as many items as there are bytes.
    private static byte[] AnnouncedDoubles(int count) => [0xa1, 0x67, .. "Doubles"u8, .. CborArrays(count, item: 0x00)];
}
