using System.Buffers;
using CoAP.Formats.Contracts;
using CoAP.Formats.Tests.Shapes;
using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

public sealed class CollectionContractsTests
{
    private enum Signed : sbyte { Least = sbyte.MinValue }

    private enum Unsigned : ulong { Most = ulong.MaxValue }

    private enum Short : short { Least = short.MinValue }

    private enum Wide : long { Least = long.MinValue }

    [Fact]
    public void The_same_contracts_serve_the_format()
    {
        var format = new CborFormat(TestContracts.Default);
        var collected = ContractSamples.Collected();
        var node = ContractSamples.Node(new Random(5));

        RoundTrip(format, collected).Should().BeEquivalentTo(collected, options => options.WithStrictOrdering());
        RoundTrip(format, node).Should().BeEquivalentTo(node);
        RoundTrip(format, new Numbered("a", -1)).Should().Be(new Numbered("a", -1));
        RoundTrip(format, Level.VeryHigh).Should().Be(Level.VeryHigh);
        RoundTrip(format, TimeSpan.FromTicks(1)).Should().Be(TimeSpan.FromTicks(1));
    }

    [Fact]
    public void Enums_of_all_sizes_are_numbers()
    {
        RoundTrip(new EnumContract<Signed>(), Signed.Least).Should().Be(Signed.Least);
        RoundTrip(new EnumContract<Unsigned>(), Unsigned.Most).Should().Be(Unsigned.Most);
        RoundTrip(new EnumContract<Short>(), Short.Least).Should().Be(Short.Least);
        RoundTrip(new EnumContract<Wide>(), Wide.Least).Should().Be(Wide.Least);
        RoundTrip(new EnumContract<Mode>(), Mode.Fast).Should().Be(Mode.Fast);
        RoundTrip(new EnumContract<DayOfWeek>(), DayOfWeek.Friday).Should().Be(DayOfWeek.Friday);
    }

    [Fact]
    public void Interfaces_take_any_collection_and_give_a_list_or_a_dictionary()
    {
        var contract = new SequenceContract<IEnumerable<int>, int>(PayloadContracts.Builtin.Find<int>()!);
        var map = new MapContract<IReadOnlyDictionary<string, int>, string, int>(
            PayloadContracts.Builtin.Find<string>()!, PayloadContracts.Builtin.Find<int>()!);

        RoundTrip(contract, Enumerable.Range(1, 3)).Should().BeOfType<List<int>>().Which.Should().Equal(1, 2, 3);
        RoundTrip(contract, new HashSet<int> { 4 }).Should().Equal(4);
        RoundTrip(contract, (int[])[5, 6]).Should().Equal(5, 6);
        RoundTrip(map, new SortedList<string, int> { ["a"] = 1 }).Should().Equal(new Dictionary<string, int> { ["a"] = 1 });
    }

    [Fact]
    public void Interfaces_that_the_collection_does_not_have_are_refused()
    {
        FluentActions.Invoking(() => new SequenceContract<ISet<int>, int>(PayloadContracts.Builtin.Find<int>()!)).Should().Throw<ArgumentException>();
        FluentActions.Invoking(() => new MapContract<SortedList<string, int>, string, int>(
            PayloadContracts.Builtin.Find<string>()!, PayloadContracts.Builtin.Find<int>()!)).Should().Throw<ArgumentException>();
    }

    [Fact]
    public void An_item_that_a_set_has_twice_is_read_once_with_the_given_comparer()
    {
        var contract = new HashSetContract<string>(PayloadContracts.Builtin.Find<string>()!, StringComparer.OrdinalIgnoreCase);

        RoundTrip(contract, ["a", "b"]).Should().BeEquivalentTo("a", "b");
        Read(contract, [0x82, 0x61, 0x61, 0x61, 0x41]).Should().ContainSingle();
    }

    [Fact]
    public void Integers_of_own_contracts_are_not_written_in_bulk()
    {
        Write(new ListContract<int>(new Negated()), [1, 2]).Should().Equal(0x82, 0x20, 0x21);
        Write(PayloadContracts.Builtin.Find<List<int>>()!, [1, -1, 500]).Should().Equal(0x83, 0x01, 0x20, 0x19, 0x01, 0xF4);
    }

    [Fact]
    public void Arrays_without_a_number_of_items_are_read_too()
    {
        Read(PayloadContracts.Builtin.Find<int[]>()!, [0x9F, 1, 2, 3, 0xFF]).Should().Equal(1, 2, 3);
        Read(PayloadContracts.Builtin.Find<List<int>>()!, [0x9F, 1, 2, 3, 0xFF]).Should().Equal(1, 2, 3);
        Read(PayloadContracts.Builtin.Find<Dictionary<string, int>>()!, [0xBF, 0x61, 0x61, 1, 0xFF]).Should().ContainKey("a");
    }

    [Theory]
    [InlineData("8401390100d82a021800", new[] { 1, -257, 2, 0 })]
    [InlineData("9f01390100d82a021800ff", new[] { 1, -257, 2, 0 })]
    [InlineData("80", new int[0]), InlineData("9fff", new int[0]), InlineData("9f01ff", new[] { 1 })]
    [InlineData("811a7fffffff", new[] { int.MaxValue })]
    public void Lists_of_integers_are_read_in_any_form(string hex, int[] expected)
    {
        Read(PayloadContracts.Builtin.Find<int[]>()!, Convert.FromHexString(hex)).Should().Equal(expected);
        Read(PayloadContracts.Builtin.Find<List<int>>()!, Convert.FromHexString(hex)).Should().Equal(expected);
        Read(PayloadContracts.Builtin.Find<IReadOnlyList<int>>()!, Convert.FromHexString(hex)).Should().Equal(expected);
        var nested = new ListContract<int[]>(PayloadContracts.Builtin.Find<int[]>()!);
        Read(nested, Convert.FromHexString("82" + hex + hex)).Should().BeEquivalentTo(new[] { expected, expected });
    }

    [Theory]
    [InlineData("83011a8000000002", "The number 2147483648 is out of range; -2147483648 to 2147483647 are allowed (at byte 2).")]
    [InlineData("9f013a80000000ff", "The number -2147483649 is out of range; -2147483648 to 2147483647 are allowed (at byte 2).")]
    [InlineData("82016161", "Expected an integer; found a text (at byte 2).")]
    [InlineData("8101ff", "The payload goes on for 1 bytes after its value (at byte 2).")]
    public void An_integer_that_is_wrong_in_a_list_is_located(string hex, string message)
    {
        Action[] reads =
        [
            () => Read(PayloadContracts.Builtin.Find<int[]>()!, Convert.FromHexString(hex)),
            () => Read(PayloadContracts.Builtin.Find<List<int>>()!, Convert.FromHexString(hex)),
        ];

        foreach (var read in reads) { read.Should().Throw<CoapPayloadException>().WithMessage(message); }
    }

    [Theory, InlineData(15), InlineData(16), InlineData(17), InlineData(1000)]
    public void Lists_of_integers_without_a_count_may_have_any_length(int count)
    {
        byte[] payload = [0x9F, .. Enumerable.Repeat((byte)7, count), 0xFF];

        Read(PayloadContracts.Builtin.Find<List<int>>()!, payload).Should().HaveCount(count).And.OnlyContain(item => item == 7);
        Read(PayloadContracts.Builtin.Find<int[]>()!, payload).Should().HaveCount(count).And.OnlyContain(item => item == 7);
    }

    [Fact]
    public void Large_lists_of_integers_cost_no_more_than_their_values()
    {
        var values = Enumerable.Range(0, 1_000_000).ToArray();
        var payload = Write(PayloadContracts.Builtin.Find<int[]>()!, values);
        List<int> list = [];

        var allocated = Allocations.Of(() => list = Read(PayloadContracts.Builtin.Find<List<int>>()!, payload));

        allocated.Should().BeLessThan(sizeof(int) * values.Length * 11L / 10);
        list.Should().Equal(values);
    }

    private static T RoundTrip<T>(CborFormat format, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        format.Write(output, value);
        return format.Read<T>(output.WrittenMemory);
    }

    private static T RoundTrip<T>(PayloadContract<T> contract, T value) => Read(contract, Write(contract, value));

    private static byte[] Write<T>(PayloadContract<T> contract, T value)
    {
        var output = new ArrayBufferWriter<byte>();
        new CborFormat(new Single<T>(contract)).Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    private static T Read<T>(PayloadContract<T> contract, byte[] payload) => new CborFormat(new Single<T>(contract)).Read<T>(payload);

    private sealed class Single<TOnly>(PayloadContract<TOnly> contract) : PayloadContracts
    {
        public override PayloadContract<T>? Find<T>() => contract as PayloadContract<T>;

        public override bool Handles(Type type) => type == typeof(TOnly);
    }

    private sealed class Negated : PayloadContract<int>
    {
        public override void Write(CborWriter writer, int value) => writer.WriteInt64(-value);

        public override int Read(CborReader reader) => -(int)reader.ReadInt64();
    }
}
