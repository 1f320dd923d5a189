using System.Buffers;

namespace CoAP.Formats.Tests;

public sealed class MessagePackReaderTests
{
    public static TheoryData<string, ItemKind> Kinds => new()
    {
        { "", ItemKind.End }, { "c0", ItemKind.Null }, { "c2", ItemKind.Boolean }, { "c3", ItemKind.Boolean }, { "00", ItemKind.Integer },
        { "7f", ItemKind.Integer }, { "e0", ItemKind.Integer }, { "ff", ItemKind.Integer }, { "cc00", ItemKind.Integer }, { "d3", ItemKind.Integer },
        { "ca", ItemKind.Float }, { "cb", ItemKind.Float }, { "a0", ItemKind.Text }, { "bf", ItemKind.Text }, { "d9", ItemKind.Text },
        { "db", ItemKind.Text }, { "c4", ItemKind.Bytes }, { "c6", ItemKind.Bytes }, { "90", ItemKind.Array }, { "9f", ItemKind.Array },
        { "dc", ItemKind.Array }, { "dd", ItemKind.Array }, { "80", ItemKind.Map }, { "8f", ItemKind.Map }, { "de", ItemKind.Map },
        { "df", ItemKind.Map }, { "d400", ItemKind.Tagged }, { "d6ff", ItemKind.Timestamp }, { "c70cff", ItemKind.Timestamp },
        { "c8000cff", ItemKind.Timestamp }, { "c90000000cfe", ItemKind.Tagged },
    };

    [Theory, MemberData(nameof(Kinds))]
    public void The_kind_of_an_item_is_known_from_its_first_bytes(string hex, ItemKind kind) =>
        new MessagePackReader(Convert.FromHexString(hex)).Peek().Should().Be(kind);

    [Fact]
    public void The_byte_that_is_never_used_is_refused_by_every_method()
    {
        Action<MessagePackReader>[] methods =
        [
            static reader => reader.Peek(), static reader => reader.Skip(), static reader => reader.ReadBoolean(),
            static reader => reader.ReadInt64(), static reader => reader.ReadUInt64(), static reader => reader.ReadDouble(),
            static reader => reader.ReadText(), static reader => reader.ReadUtf8(), static reader => reader.ReadBytes(),
            static reader => reader.ReadTimestamp(), static reader => reader.ReadExtension(out _), static reader => reader.ReadArrayStart(),
            static reader => reader.ReadMapStart(), static reader => reader.ReadInt32s(new int[1]),
        ];
        foreach (var method in methods)
        {
            MessagePackDocument.Refuse("c1", method).Should().Be("The byte 0xc1 is never used in MessagePack (at byte 0).");
        }
    }

    [Theory]
    [InlineData("a16f", "Expected an integer; found a text (at byte 0).")]
    [InlineData("c0", "Expected an integer; found a nil value (at byte 0).")]
    [InlineData("d6ff00000000", "Expected an integer; found a timestamp (at byte 0).")]
    [InlineData("d40100", "Expected an integer; found an extension (at byte 0).")]
    [InlineData("c40100", "Expected an integer; found a byte string (at byte 0).")]
    [InlineData("9100", "Expected an integer; found an array (at byte 0).")]
    public void Another_kind_is_refused_with_both_names(string hex, string message) =>
        MessagePackDocument.Refuse(hex, static reader => reader.ReadInt64()).Should().Be(message);

    [Theory]
    [InlineData("a1ff", 1)]
    [InlineData("a3e282ac", -1)]
    [InlineData("a461c3a9c3", 4)]
    [InlineData("a2c080", 1)]
    [InlineData("a3eda080", 1)]
    [InlineData("a4f4908080", 1)]
    [InlineData("d90461626380", 5)]
    public void Text_that_is_not_UTF_8_is_refused_with_its_place(string hex, int offset)
    {
        Action<MessagePackReader>[] methods =
            [static reader => reader.ReadText(), static reader => reader.ReadUtf8(), static reader => reader.Skip()];
        foreach (var method in methods)
        {
            var reading = FluentActions.Invoking(() => method(new MessagePackReader(Convert.FromHexString(hex))));
            if (offset < 0) { reading.Should().NotThrow(); }
            else { reading.Should().Throw<CoapPayloadException>($"the text has a bad byte {offset}").Which.Offset.Should().Be(offset); }
        }
    }

    [Fact]
    public void A_long_text_that_is_not_UTF_8_is_refused_with_its_place()
    {
        byte[] document = [0xda, 0x04, 0x00, .. Enumerable.Repeat((byte)'a', 1023), 0x80];

        FluentActions.Invoking(() => new MessagePackReader(document).ReadText())
            .Should().Throw<CoapPayloadException>().Which.Offset.Should().Be(1026);
    }

    [Fact]
    public void Items_of_arrays_and_maps_are_counted()
    {
        var reader = new MessagePackReader(Convert.FromHexString("9281a16101c0"));

        reader.ReadArrayStart().Should().Be(2);
        reader.MoveNext().Should().BeTrue();
        reader.ReadMapStart().Should().Be(1);
        reader.MoveNext().Should().BeTrue();
        reader.ReadText().Should().Be("a");
        reader.ReadInt64().Should().Be(1);
        reader.Peek().Should().Be(ItemKind.End);
        reader.TryReadNull().Should().BeFalse("the nil value is outside of the map");
        reader.MoveNext().Should().BeFalse();
        reader.MoveNext().Should().BeTrue();
        reader.TryReadNull().Should().BeTrue();
        FluentActions.Invoking(() => reader.ReadInt64()).Should().Throw<CoapPayloadException>().WithMessage("*ends where an item is expected*");
        reader.MoveNext().Should().BeFalse();
        reader.ReadEnd();
    }

    [Fact]
    public void The_end_is_refused_while_items_are_left()
    {
        var trailing = new MessagePackReader(new byte[] { 0, 0 });
        trailing.ReadInt64();
        FluentActions.Invoking(trailing.ReadEnd).Should().Throw<CoapPayloadException>().WithMessage("The payload has 1 more bytes*(at byte 1).");

        var inside = new MessagePackReader(new byte[] { 0x92, 0, 0 });
        inside.ReadArrayStart();
        inside.ReadInt64();
        FluentActions.Invoking(inside.ReadEnd).Should().Throw<CoapPayloadException>().WithMessage("*array or map*");
    }

    [Theory]
    [InlineData("93 01 cd0002 d3ffffffffffffffff", new[] { 1, 2, -1 })]
    [InlineData(
        "9a 7f cc80 cdffff ce00010000 d080 d1ff7f d280000000 cf000000000000007f e0 ce7fffffff",
        new[] { 127, 128, 65535, 65536, -128, -129, int.MinValue, 127, -32, int.MaxValue })]
    [InlineData("90", new int[0])]
    public void Integers_of_an_array_are_read_in_bulk_in_whatever_form(string hex, int[] expected)
    {
        foreach (var size in (int[])[1, 2, 3, 10, 11, 64])
        {
            var reader = new MessagePackReader(Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal)));
            var all = new List<int>();
            var part = new int[size];
            reader.ReadArrayStart();
            int read;
            do { all.AddRange(part.Take(read = reader.ReadInt32s(part))); } while (read == size);
            all.Should().Equal(expected, $"parts have {size}");
            reader.ReadEnd();
        }
    }

    [Theory]
    [InlineData("92cd000a ce80000000", "2147483648")]
    [InlineData("92cd000a d3ffffffff7fffffff", "-2147483649")]
    [InlineData("92cd000a a0", "Expected an integer; found a text (at byte 4).")]
    [InlineData("92cd000a cd00", "needs 3 bytes")]
    [InlineData("92cd000a", "(at byte 4).")]
    public void Integers_in_bulk_end_with_an_error_at_the_first_that_is_not_one(string hex, string message) => MessagePackDocument.Refuse(
        hex.Replace(" ", "", StringComparison.Ordinal),
        static reader =>
        {
            reader.ReadArrayStart();
            reader.ReadInt32s(new int[5]);
        }).Should().Contain(message);

    [Fact]
    public void Integers_outside_of_arrays_are_taken_up_to_the_first_other_item()
    {
        var values = new int[10];
        var reader = new MessagePackReader(Convert.FromHexString("01cd0102ff" + "d300000000000000"));

        reader.TakeInt32s(values).Should().Be(3);
        (values[0], values[1], values[2], reader.Offset).Should().Be((1, 258, -1, 5));
        reader.TakeInt32s(values).Should().Be(0);
        FluentActions.Invoking(() => reader.ReadInt64()).Should().Throw<CoapPayloadException>();
        reader.EndedEarly.Should().BeTrue();
    }

    [Fact]
    public void A_payload_may_be_a_slice_or_memory_outside_of_arrays()
    {
        byte[] document = [0xff, 0xff, 0x92, 0xa1, 0x61, 0x05, 0xff];

        Read(new MessagePackReader(document.AsMemory(2, 4)));
        using var native = new NativeMemory(document.AsSpan(2, 4));
        Read(new MessagePackReader(native.Memory));

        static void Read(MessagePackReader reader)
        {
            MessagePackTree.Read(reader).Should().Be("[\"a\",5]");
            reader.Offset.Should().Be(4);
            reader.ReadEnd();
        }
    }

    [Fact]
    public void Unknown_items_of_any_kind_are_skipped()
    {
        const string Unknown =
            "9c c0 c2 05 cd0100 ca00000000 cb0000000000000000 a161 c40100 d40100 c70cff000000000000000000000000 9291920190 82a16181c0c0a16290 0a";
        var reader = new MessagePackReader(Convert.FromHexString("92" + Unknown.Replace(" ", "", StringComparison.Ordinal) + "2a"));

        reader.ReadArrayStart();
        reader.Skip();
        reader.ReadInt64().Should().Be(42);
        reader.MoveNext().Should().BeFalse();
        reader.ReadEnd();
    }

    private sealed unsafe class NativeMemory : MemoryManager<byte>
    {
        private readonly int _length;
        private readonly byte* _start;

        public NativeMemory(ReadOnlySpan<byte> content)
        {
            _length = content.Length;
            _start = (byte*)System.Runtime.InteropServices.NativeMemory.Alloc((nuint)content.Length);
            content.CopyTo(GetSpan());
        }

        public override Span<byte> GetSpan() => new(_start, _length);

        public override MemoryHandle Pin(int elementIndex = 0) => new(_start + elementIndex);

        public override void Unpin()
        {
        }

        protected override void Dispose(bool disposing) => System.Runtime.InteropServices.NativeMemory.Free(_start);
    }
}
