using System.Buffers;

namespace CoAP.Formats.Tests;

/// <summary>Random documents, compared with the plain decoder.</summary>
public sealed class MessagePackRandomTests
{
    private const int Seed = 20_16, Documents = 300;

    [Fact]
    public void A_random_document_means_the_same_to_the_plain_decoder_and_to_the_reader()
    {
        var random = new Random(Seed);
        for (var i = 0; i < Documents; i++)
        {
            var expected = "";
            var document = MessagePackDocument.Write(writer => expected = MessagePackTree.WriteRandom(writer, random, depth: 2));

            (PlainMessagePack.Describe(document) == expected).Should().BeTrue($"document {i} of seed {Seed} is {expected}");
            var reader = new MessagePackReader(document);
            (MessagePackTree.Read(reader) == expected).Should().BeTrue($"document {i} of seed {Seed} is {expected}");
            reader.ReadEnd();
            reader.Reset(document, PayloadLimits.Default);
            reader.Skip();
            reader.ReadEnd();
        }
    }

    [Fact]
    public void Integers_of_all_sizes_survive_in_bulk()
    {
        var random = new Random(Seed);
        var values = new int[20_000];
        for (var i = 0; i < values.Length; i++) { values[i] = random.Next(int.MinValue, int.MaxValue) >> random.Next(32); }

        var document = MessagePackDocument.Write(writer => WriteAll(writer, values));

        PlainMessagePack.Describe(document).Should().Be($"[{string.Join(",", values)}]", $"the seed is {Seed}");
        var (reader, read) = (new MessagePackReader(document), new int[values.Length + 1]);
        reader.ReadArrayStart().Should().Be(values.Length);
        reader.ReadInt32s(read).Should().Be(values.Length);
        read[..^1].Should().Equal(values);
        reader.ReadEnd();
    }

    [Theory, InlineData(1), InlineData(7), InlineData(300)]
    public void The_size_of_the_parts_of_the_buffer_changes_nothing(int size)
    {
        var random = new Random(Seed);
        for (var i = 0; i < 50; i++)
        {
            var seed = random.Next();
            var expected = MessagePackDocument.Write(writer => MessagePackTree.WriteRandom(writer, new Random(seed), depth: 3));
            var output = new PartedOutput(size);
            var writer = new MessagePackWriter(output);

            MessagePackTree.WriteRandom(writer, new Random(seed), depth: 3);
            writer.Flush();

            output.Written.Should().Equal(expected, $"document {i} of seed {Seed} is the same in parts of {size}");
        }
    }

    private static void WriteAll(MessagePackWriter writer, int[] values)
    {
        writer.WriteArrayStart(values.Length);
        writer.WriteInt32s(values);
    }

    // Gives hardly more room than asked for, each time elsewhere.
    private sealed class PartedOutput(int extra) : IBufferWriter<byte>
    {
        private byte[] _part = [];

        public List<byte> Written { get; } = [];

        public void Advance(int count) => Written.AddRange(_part.AsSpan(extra, count));

        public Memory<byte> GetMemory(int sizeHint = 0) => (_part = new byte[extra + sizeHint + extra]).AsMemory(extra);

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }
}
