using System.Buffers.Binary;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Options;

public class OptionRegistryTests
{
    private static readonly DatagramSerializer Serializer = new(OptionRegistry.Default.With(RoomNumber.Declaration));

    [Fact]
    public void A_users_option_plugs_in_with_one_declaration()
    {
        var message = new CoapMessage { Code = RequestCode.Get, Options = [new RoomNumber(1002), new UriPath("rooms")] };

        var bytes = Serializer.Serialize(message);
        var read = Serializer.Deserialize(bytes);

        bytes.Should().Equal(Hex.Bytes("""
            40 01 0000        # CON GET
            b5 726f6f6d73     # Uri-Path: rooms
            e2 08d5 03ea      # 2541 = 11 + 269 + 2261: 1002
            """));
        read.Options.Get<RoomNumber>().Should().Be(new RoomNumber(1002));
        read.Options.Should().Equal(new UriPath("rooms"), new RoomNumber(1002));
    }

    [Fact]
    public void An_option_without_a_declaration_is_unknown_kept_in_order_and_written_back()
    {
        var bytes = Serializer.Serialize(new() { Code = RequestCode.Get, Options = [new RoomNumber(7), new Size1(1), new UnknownOption(65_535, new byte[300])] });

        var read = CoapMessageSerializer.Datagram.Deserialize(bytes);

        read.Options.Should().Equal(new Size1(1), new UnknownOption(2541, new byte[] { 7 }), new UnknownOption(65_535, new byte[300]));
        CoapMessageSerializer.Datagram.Serialize(read).Should().Equal(bytes);
        CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = [.. read.Options] }).Should().Equal(bytes);
    }

    [Fact]
    public void A_declaration_replaces_the_one_with_its_number_and_leaves_the_old_registry_as_it_was()
    {
        var mine = OptionDeclaration.UInt(12, "My-Format", 1, value => new ContentFormat(value));

        var registry = OptionRegistry.Default.With(mine);

        registry.TryFind(12, out var found).Should().BeTrue();
        found.Should().BeSameAs(mine);
        registry.Declarations.Should().NotContain(ContentFormat.Declaration).And.HaveSameCount(OptionRegistry.Default.Declarations);
        OptionRegistry.Default.TryFind(12, out found);
        found.Should().BeSameAs(ContentFormat.Declaration);
    }

    [Fact]
    public void A_declaration_for_one_signaling_code_is_not_known_in_another()
    {
        var mine = OptionDeclaration.UInt(11, "Mine", 1, value => new UnknownOption(11, new[] { (byte)value }), spaces: [SignalCode.Csm]);

        var registry = OptionRegistry.Default.With(mine);

        registry.TryFind(11, SignalCode.Csm, out _).Should().BeTrue();
        registry.TryFind(11, SignalCode.Ping, out _).Should().BeFalse();
        registry.TryFind(11, out var common).Should().BeTrue();
        common.Should().BeSameAs(UriPath.Declaration);
    }

    [Fact]
    public void Only_signaling_codes_have_number_spaces()
    {
        var act = () => OptionDeclaration.Empty(1, "Mine", () => new IfNoneMatch(), RequestCode.Get);

        act.Should().Throw<ArgumentException>().WithMessage("*0.01*");
    }

    [Fact]
    public void A_factory_that_refuses_a_value_makes_it_unknown()
    {
        var even = OptionDeclaration.UInt(2541, "Even", 2, value => value % 2 == 0 ? new RoomNumber(value) : throw new ArgumentException("odd"));
        var serializer = new DatagramSerializer(OptionRegistry.Default.With(even));

        var read = serializer.Deserialize(Serializer.Serialize(new() { Code = RequestCode.Get, Options = [new RoomNumber(3)] }));

        read.Options.Should().Equal(new UnknownOption(2541, new byte[] { 3 }));
    }

    [Fact]
    public void An_option_with_a_value_of_its_own_plugs_in_with_a_factory()
    {
        var serializer = new DatagramSerializer(OptionRegistry.Default.With(new PositionFactory()));
        var message = new CoapMessage { Code = RequestCode.Get, Options = [new Position(3, -1), new UriPath("a")] };

        var bytes = serializer.Serialize(message);
        var read = serializer.Deserialize(bytes);

        bytes.Should().Equal(Hex.Bytes("""
            40 01 0000        # CON GET
            b1 61             # Uri-Path: a
            e4 fcd5 0003 ffff # 65,005 = 11 + 269 + 64,725: 3 and -1
            """));
        read.Options.Should().Equal(new UriPath("a"), new Position(3, -1));
        read.Options.Get<Position>().Should().Be(new Position(3, -1));
    }

    [Theory]
    [InlineData("d4 f0 0003ffff", false)]
    [InlineData("d3 f0 0003ff", true)]
    [InlineData("d4 f0 8000ffff", true)]
    [InlineData("d4 f0 0003ffff 04 0003ffff", true)]
    [Trait("RFC", "7252 5.4.1")]
    public void The_value_of_a_critical_option_is_what_its_factory_accepts(string hex, bool isUnrecognized)
    {
        var factory = new PositionFactory { Number = 253 };
        var registry = OptionRegistry.Default.With(factory);
        var options = new DatagramSerializer(registry).Deserialize([0x40, 1, 0, 0, .. Hex.Bytes(hex)]).Options;

        OptionCheck.FindUnrecognizedCritical(options, registry, RequestCode.Get, out var number).Should().Be(isUnrecognized);
        number.Should().Be(isUnrecognized ? 253 : -1);
        options.Count(option => option is UnknownOption).Should().Be(isUnrecognized ? 1 : 0);
    }

    [Fact]
    public void A_factory_for_a_signaling_code_is_not_known_in_messages()
    {
        var registry = OptionRegistry.Default.With(new PositionFactory { Spaces = [SignalCode.Ping] });

        registry.TryFind(65_005, SignalCode.Ping, out var declaration).Should().BeTrue();
        declaration!.ToString().Should().Be("65005 (PositionFactory)");
        registry.TryFind(65_005, out _).Should().BeFalse();
    }

    [Theory]
    [InlineData(6U, false)]
    [InlineData(7U, true)]
    [Trait("RFC", "7252 5.4.1")]
    public void A_rule_of_a_users_makes_other_values_unrecognized(uint value, bool isUnrecognized)
    {
        var even = OptionDeclaration.UInt(2541, "Even", 2, number => new RoomNumber(number)).OnlyIf(bytes => (bytes[^1] & 1) == 0);
        var registry = OptionRegistry.Default.With(even);
        var options = new DatagramSerializer(registry).Deserialize(Serializer.Serialize(new() { Code = RequestCode.Get, Options = [new RoomNumber(value)] })).Options;

        options.Single().Should().BeOfType(isUnrecognized ? typeof(UnknownOption) : typeof(RoomNumber));
        OptionCheck.FindUnrecognizedCritical(options, registry, RequestCode.Get, out _).Should().Be(isUnrecognized);
    }

    [Fact]
    public void A_second_rule_is_added_to_the_first()
    {
        var both = OptionDeclaration.UInt(2541, "Both", 1, number => new RoomNumber(number)).OnlyIf(bytes => bytes[0] > 10).OnlyIf(bytes => bytes[0] < 20);

        new byte[] { 10, 11, 19, 20 }.Select(value => both.IsValid([value])).Should().Equal(false, true, true, false);
    }

    [Fact]
    public void An_option_of_a_users_can_stand_in_every_number_space()
    {
        var everywhere = OptionDeclaration.UInt(2541, "Everywhere", 1, number => new RoomNumber(number)).InEverySpace();

        var registry = OptionRegistry.Default.With(everywhere);

        foreach (var code in new[] { RequestCode.Get, ResponseCode.Content, SignalCode.Csm, SignalCode.Abort }) { registry.TryFind(2541, code, out _).Should().BeTrue(); }
    }

    /// <summary>Two numbers of two bytes, neither of them <see cref="short.MinValue"/>.</summary>
    private sealed record Position(short X, short Y, int Number = 65_005) : CoapOption(Number), IDeclaredOption
    {
        public static OptionDeclaration Declaration { get; } = OptionDeclaration.Of(new PositionFactory());

        public override int ValueLength => 4;

        public override void WriteValue(Span<byte> destination)
        {
            BinaryPrimitives.WriteInt16BigEndian(destination, X);
            BinaryPrimitives.WriteInt16BigEndian(destination[2..], Y);
        }
    }

    private sealed class PositionFactory : IOptionFactory
    {
        public int Number { get; init; } = 65_005;

        public IReadOnlyList<CoapCode> Spaces { get; init; } = [];

        public CoapOption? Create(ReadOnlySpan<byte> value)
        {
            if (value.Length != 4) { return null; }
            var (x, y) = (BinaryPrimitives.ReadInt16BigEndian(value), BinaryPrimitives.ReadInt16BigEndian(value[2..]));
            return x == short.MinValue || y == short.MinValue ? throw new ArgumentException("Out of range.") : new Position(x, y, Number);
        }
    }

    private sealed record RoomNumber(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
    {
        public static OptionDeclaration Declaration { get; } = OptionDeclaration.UInt(2541, "Room-Number", 2, value => new RoomNumber(value));
    }
}
