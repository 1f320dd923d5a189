using System.Buffers;
using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

public sealed class CborFormatTests
{
    [Fact]
    public void Knows_its_content_format() => Format().ContentFormat.Should().Be(60);

    [Fact]
    public void Restores_a_value()
    {
        var format = Format();

        format.Read<Pair>(Bytes(format, new Pair(-5, "text"))).Should().Be(new Pair(-5, "text"));
        format.Name.Should().Be("CBOR");
        format.Handles(typeof(Pair)).Should().BeTrue();
        format.Handles(typeof(Version)).Should().BeFalse();
    }

    [Fact]
    public void Says_that_a_contract_is_missing()
    {
        var format = Format();
        var write = () => format.Write(new ArrayBufferWriter<byte>(), new Version());
        var read = () => format.Read<Version>(new byte[1]);

        var message = $"The CBOR format has no contract for System.Version. Add [PayloadContract(typeof(Version))] to {typeof(PairContracts)}.";
        write.Should().Throw<NotSupportedException>().WithMessage(message);
        read.Should().Throw<NotSupportedException>().WithMessage(message);
    }

    [Fact]
    public void Rejects_bytes_after_the_value()
    {
        var format = Format();
        var read = () => format.Read<Pair>((byte[])[.. Bytes(format, new Pair(1, "")), 0]);

        read.Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Bounds_the_size_of_a_payload()
    {
        var document = Bytes(Format(), new Pair(1, "text"));

        Format(new PayloadLimits { MaxSize = document.Length }).Read<Pair>(document).Should().Be(new Pair(1, "text"));
        var read = () => Format(new PayloadLimits { MaxSize = document.Length - 1 }).Read<Pair>(document);

        read.Should().Throw<CoapPayloadException>().WithMessage($"The payload has {document.Length} bytes; at most {document.Length - 1} are allowed (at byte 0).");
    }

    [Fact]
    public void Can_be_used_again_after_an_error()
    {
        var format = Format();
        var document = Bytes(format, new Pair(1, "text"));
        for (var length = 0; length < document.Length; length++)
        {
            var read = () => format.Read<Pair>(document.AsMemory(0, length));

            read.Should().Throw<CoapPayloadException>();
            format.Read<Pair>(document).Should().Be(new Pair(1, "text"));
        }
        var write = () => format.Write(new ArrayBufferWriter<byte>(), new Pair(1, null!));
        write.Should().Throw<ArgumentNullException>();

        Bytes(format, new Pair(1, "text")).Should().Equal(document);
    }

    [Fact]
    public void Can_be_used_by_a_contract_that_it_calls()
    {
        var format = Format();
        var outer = new NestingContracts(format);
        var nesting = new CborFormat(outer);
        outer.Format = nesting;

        var document = Bytes(nesting, new Nested(new Pair(3, "inner"), 7));

        nesting.Read<Nested>(document).Should().Be(new Nested(new Pair(3, "inner"), 7));
    }

    [Fact]
    public void Allocates_nothing_but_the_value()
    {
        var format = Format();
        var output = new ArrayBufferWriter<byte>();

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++)
            {
                output.ResetWrittenCount();
                format.Write(output, 5);
                format.Read<int>(output.WrittenMemory);
            }
        });

        allocated.Should().BeLessThan(100);
    }

    internal static CborFormat Format(PayloadLimits? limits = null) => new CborFormat(new PairContracts(), limits);

    internal static byte[] Bytes<T>(CborFormat format, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    internal sealed record Pair(int Number, string Text);

    internal sealed record Nested(Pair Inner, int Number);

    private sealed class PairContract : PayloadContract<Pair>
    {
        public override void Write(CborWriter writer, Pair value)
        {
            ArgumentNullException.ThrowIfNull(value.Text);
            writer.WriteArrayStart(2);
            writer.WriteInt64(value.Number);
            writer.WriteText(value.Text);
        }

        public override Pair Read(CborReader reader)
        {
            reader.ReadArrayStart();
            if (!reader.MoveNext()) { throw reader.Error("A number is missing"); }
            var number = reader.ReadInt64();
            if (!reader.MoveNext()) { throw reader.Error("A text is missing"); }
            var text = reader.ReadText();
            return reader.MoveNext() || number is < int.MinValue or > int.MaxValue ? throw reader.Error("The pair is wrong") : new Pair((int)number, text);
        }
    }

    internal sealed class PairContracts : PayloadContracts
    {
        private readonly PairContract _contract = new();

        public override PayloadContract<T>? Find<T>() => _contract as PayloadContract<T> ?? Builtin.Find<T>();

        public override bool Handles(Type type) => type == typeof(Pair) || Builtin.Handles(type);
    }

    // Writes the inner value as bytes, by the same format.
    private sealed class NestingContracts(CborFormat inner) : PayloadContracts
    {
        internal CborFormat? Format { get; set; }

        public override PayloadContract<T>? Find<T>() => new NestedContract(this) as PayloadContract<T> ?? inner.Contracts.Find<T>();

        public override bool Handles(Type type) => true;
    }

    private sealed class NestedContract(NestingContracts contracts) : PayloadContract<Nested>
    {
        public override void Write(CborWriter writer, Nested value)
        {
            writer.WriteArrayStart(2);
            writer.WriteBytes(Bytes(contracts.Format!, value.Inner));
            writer.WriteInt64(value.Number);
        }

        public override Nested Read(CborReader reader)
        {
            reader.ReadArrayStart();
            reader.MoveNext();
            var pair = contracts.Format!.Read<Pair>(reader.ReadBytes());
            reader.MoveNext();
            var number = (int)reader.ReadInt64();
            reader.MoveNext();
            return new Nested(pair, number);
        }
    }
}
