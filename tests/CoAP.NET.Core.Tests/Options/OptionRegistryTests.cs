using CoAP.Serialization;
using CoAP.Testing;

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

    private sealed record RoomNumber(uint Value) : UIntOption(Declaration, Value), IDeclaredOption
    {
        public static OptionDeclaration Declaration { get; } = OptionDeclaration.UInt(2541, "Room-Number", 2, value => new RoomNumber(value));
    }
}
