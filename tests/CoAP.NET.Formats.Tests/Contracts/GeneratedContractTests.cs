using CoAP.Formats.Tests.Shapes;

namespace CoAP.Formats.Tests;

public sealed class GeneratedContractTests
{
    [Fact]
    public void A_record_is_a_map_of_its_parameters_in_order()
    {
        var payload = ContractRuns.Write(new Reading("kitchen", 21.5, Mode.Slow, 80));

        payload.Should().Equal(ContractRuns.Map(
            ("Sensor", w => w.WriteTextString("kitchen")), ("Temperature", w => w.WriteHalf((Half)21.5)),
            ("Mode", w => w.WriteInt32(1)), ("Battery", w => w.WriteInt32(80))));
        ContractRuns.Read<Reading>(payload).Should().Be(new Reading("kitchen", 21.5, Mode.Slow, 80));
    }

    [Fact]
    public void Parameters_with_defaults_may_be_missing()
    {
        var payload = ContractRuns.Map(("Temperature", w => w.WriteInt32(3)), ("Sensor", w => w.WriteTextString("a")));

        ContractRuns.Read<Reading>(payload).Should().Be(new Reading("a", 3, Mode.Fast, null));
    }

    [Fact]
    public void Integer_keys_are_integers()
    {
        var value = new Numbered("me", 7) { Note = "n" };
        var payload = ContractRuns.Write(value);

        Convert.ToHexString(payload).Should().Be("A3" + "01" + "626D65" + "21" + "07" + "646E6F7465" + "616E");
        ContractRuns.Read<Numbered>(payload).Should().Be(value);
    }

    [Fact]
    public void Unknown_keys_of_any_kind_are_skipped()
    {
        var payload = ContractRuns.Encode(writer =>
        {
            writer.WriteStartMap(null);
            writer.WriteInt32(99);
            ContractRuns.WriteMap(writer, ("x", w => w.WriteNull()));
            writer.WriteByteString([1]);
            writer.WriteStartArray(0);
            writer.WriteEndArray();
            writer.WriteTextString("1");
            writer.WriteBoolean(true);
            writer.WriteInt32(1);
            writer.WriteTextString("me");
            writer.WriteInt32(-2);
            writer.WriteInt32(5);
            writer.WriteEndMap();
        });

        ContractRuns.Read<Numbered>(payload).Should().Be(new Numbered("me", 5));
    }

    [Fact]
    public void Properties_that_are_missing_keep_the_values_of_the_type()
    {
        var onlyName = ContractRuns.Map(("Name", w => w.WriteTextString("a")));
        var withPort = ContractRuns.Map(
            ("Port", w => w.WriteInt32(1)), ("Path", w => w.WriteTextString("/x")), ("Name", w => w.WriteTextString("a")));

        ContractRuns.Read<Kept>(onlyName).Should().BeEquivalentTo(new Kept { Name = "a" });
        ContractRuns.Read<Kept>(withPort).Should().BeEquivalentTo(new Kept { Name = "a", Port = 1, Path = "/x" });
    }

    [Fact]
    public void Null_and_default_values_are_left_out_on_request()
    {
        Convert.ToHexString(ContractRuns.Write(new Sparse())).Should().Be("A0");
        Convert.ToHexString(ContractRuns.Write(new Sparse { Name = "a", Count = 2, Limit = 3 }))
            .Should().Be("A3" + "616E" + "6161" + "65436F756E74" + "02" + "654C696D6974" + "03");
        ContractRuns.RoundTrip(new Sparse { Limit = 4, Secret = "s" }).Should().BeEquivalentTo(new Sparse { Limit = 4 });
    }

    [Fact]
    public void Trees_and_chains_are_read_as_they_were()
    {
        var inner = new Node { Value = 2, Children = [new() { Value = 3 }] };
        var tree = new Node { Value = 1, Children = [inner, new() { Value = 4 }], Next = new() { Value = 5 } };

        ContractRuns.RoundTrip(tree).Should().BeEquivalentTo(tree);
    }

    [Fact]
    public void Depth_is_bounded_by_the_limits()
    {
        var node = new Node();
        for (var i = 0; i < 40; i++) { node = new Node { Children = [node] }; }
        var payload = ContractRuns.Write(node);

        FluentActions.Invoking(() => ContractRuns.Read<Node>(payload)).Should().Throw<CoapPayloadException>();
        new CborFormat(TestContracts.Default, new() { MaxDepth = 100 }).Read<Node>(payload).Children.Should().ContainSingle();
    }

    [Fact]
    public void An_object_that_contains_itself_is_an_error_and_not_the_end_of_the_process()
    {
        var node = new Node();
        node.Next = node;

        FluentActions.Invoking(() => ContractRuns.Write(node)).Should().Throw<InsufficientExecutionStackException>();
    }

    [Fact]
    public void Collections_of_all_kinds_are_read_as_they_were()
    {
        var value = ContractSamples.Collected();
        var read = ContractRuns.RoundTrip(value);

        read.Should().BeEquivalentTo(value, options => options.WithStrictOrdering());
    }

    [Fact]
    public void More_members_than_bits_in_a_word_are_tracked()
    {
        var value = new Wide { P0 = 1, P63 = 2, P64 = 3, P69 = 4 };

        ContractRuns.RoundTrip(value).Should().BeEquivalentTo(value);
        ContractRuns.Fail<Wide>(w => ContractRuns.WriteMap(w, ("P64", v => v.WriteInt32(1)), ("P64", v => v.WriteInt32(1))))
            .Message.Should().StartWith("Wide.P64: the key \"P64\" is in the map twice");
    }

    [Fact]
    public void Other_shapes_are_read_as_they_were()
    {
        ContractRuns.RoundTrip(new Point(1.5, -2)).Should().Be(new Point(1.5, -2));
        ContractRuns.RoundTrip(new Keywords(1, "e") { Size = 3 }).Should().Be(new Keywords(1, "e") { Size = 3 });
        ContractRuns.RoundTrip(new Derived { Id = 1, Name = "n" }).Should().BeEquivalentTo(new Derived { Id = 1, Name = "n" });
        ContractRuns.RoundTrip(new Chosen(4)).Way.Should().Be("number");
        ContractRuns.RoundTrip(new Old()).Should().BeEquivalentTo(new Old());
        ContractRuns.RoundTrip(new Empty()).Should().NotBeNull();
        ContractRuns.RoundTrip<Mode?>(null).Should().BeNull();
        var page = new Page<Reading>([new("a", 1)], 9) { First = new("b", 2) };
        ContractRuns.RoundTrip(page).Should().BeEquivalentTo(page);
    }

    [Fact]
    public void Base_properties_come_first_and_computed_ones_are_written_and_skipped()
    {
        var payload = ContractRuns.Write(new Derived { Id = 1, Name = "n" });

        payload.Should().Equal(ContractRuns.Map(
            ("Id", w => w.WriteInt32(1)), ("Kind", w => w.WriteTextString("derived")), ("Name", w => w.WriteTextString("n"))));
    }

    [Fact]
    public void Enums_with_names_are_texts_and_others_are_numbers()
    {
        ContractRuns.Read<Level>([0x66, .. "Normal"u8]).Should().Be(Level.Medium);
        ContractRuns.Write(Level.Medium).Should().Equal([0x66, .. "Medium"u8]);
        ContractRuns.Write(Level.VeryHigh).Should().Equal([0x69, .. "very-high"u8]);
        ContractRuns.Write((Level)9).Should().Equal(9);
        ContractRuns.Read<Level>([0x02]).Should().Be(Level.VeryHigh);
        ContractRuns.Write(Turn.Left).Should().Equal([0x64, .. "Left"u8]);
        ContractRuns.Write((Mode)200).Should().Equal(0x18, 200);
    }

    [Fact]
    public void Reachable_and_builtin_types_are_found()
    {
        TestContracts.Default.Handles(typeof(Reading[])).Should().BeFalse("only types that are listed or referred to are");
        TestContracts.Default.Handles(typeof(IReadOnlyList<Reading>)).Should().BeTrue();
        TestContracts.Default.Handles(typeof(int[])).Should().BeTrue();
        TestContracts.Default.Find<string>().Should().NotBeNull();
        TestContracts.Default.Find<Version>().Should().BeNull();
        TestContracts.Default.Find<Reading>().Should().BeSameAs(TestContracts.Default.Find<Reading>());
    }

    [Fact]
    public void Null_in_a_member_that_does_not_allow_it_is_the_mistake_of_the_writer()
    {
        FluentActions.Invoking(() => ContractRuns.Write(new Reading(null!, 1)))
            .Should().Throw<ArgumentException>().WithMessage("Reading.Sensor is null*");
        FluentActions.Invoking(() => ContractRuns.Write<Reading>(null!)).Should().Throw<ArgumentNullException>();
    }
}
