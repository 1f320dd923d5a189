using CoAP.Formats.Tests.Shapes;
using PlainWriter = System.Formats.Cbor.CborWriter;

namespace CoAP.Formats.Tests;

public sealed class ContractErrorTests
{
    [Fact]
    public void A_wrong_kind_names_the_member_and_the_offset()
    {
        var error = ContractRuns.Fail<Reading>(w => ContractRuns.WriteMap(
            w, ("Sensor", v => v.WriteTextString("a")), ("Temperature", v => v.WriteTextString("hot"))));

        error.Message.Should().StartWith("Reading.Temperature: ").And.EndWith("(at byte 22).");
        error.Offset.Should().Be(22);
    }

    [Fact]
    public void A_number_out_of_range_is_told_with_the_limits()
    {
        var error = ContractRuns.Fail<Reading>(w => ContractRuns.WriteMap(w, ("Mode", v => v.WriteInt32(256))));

        error.Message.Should().Be("Reading.Mode: the number 256 is out of range; 0 to 255 are allowed (at byte 6).");
    }

    [Fact]
    public void A_missing_parameter_is_an_error()
    {
        ContractRuns.Fail<Reading>(w => ContractRuns.WriteMap(w, ("Sensor", v => v.WriteTextString("a"))))
            .Message.Should().Be("Reading: the key \"Temperature\" is missing (at byte 10).");
    }

    [Fact]
    public void A_missing_required_property_is_an_error()
    {
        ContractRuns.Fail<Kept>(w => ContractRuns.WriteMap(w)).Message.Should().StartWith("Kept: the key \"Name\" is missing");
    }

    [Fact]
    public void A_key_that_occurs_twice_is_an_error()
    {
        ContractRuns.Fail<Reading>(w => ContractRuns.WriteMap(w, ("Mode", v => v.WriteInt32(1)), ("Mode", v => v.WriteInt32(1))))
            .Message.Should().StartWith("Reading.Mode: the key \"Mode\" is in the map twice");
        ContractRuns.Fail<Dictionary<string, int>>(w => ContractRuns.WriteMap(w, ("a", v => v.WriteInt32(1)), ("a", v => v.WriteInt32(1))))
            .Message.Should().Be("The map has a key twice (at byte 4).");
    }

    [Theory]
    [InlineData("Sensor")]
    [InlineData("Temperature")]
    [InlineData("Mode")]
    public void Null_for_a_member_that_does_not_allow_it_is_an_error(string key)
    {
        ContractRuns.Fail<Reading>(w => ContractRuns.WriteMap(w, (key, v => v.WriteNull()))).Message.Should().StartWith($"Reading.{key}: ");
    }

    [Fact]
    public void The_innermost_object_is_named_once()
    {
        static void WriteItems(PlainWriter writer)
        {
            writer.WriteStartArray(1);
            ContractRuns.WriteMap(writer, ("Battery", battery => battery.WriteTextString("full")));
            writer.WriteEndArray();
        }

        var error = ContractRuns.Fail<Page<Reading>>(w => ContractRuns.WriteMap(w, ("Items", WriteItems)));

        error.Message.Should().StartWith("Reading.Battery: ").And.NotContain("Page");
    }

    [Fact]
    public void A_value_that_is_no_map_names_the_type()
    {
        ContractRuns.Fail<Reading>(w => w.WriteInt32(5)).Message.Should().StartWith("Reading: ");
    }

    [Fact]
    public void An_unknown_name_of_an_enum_is_an_error()
    {
        ContractRuns.Fail<Level>(w => w.WriteTextString(new string('x', 60)))
            .Message.Should().Be($"The text \"{new string('x', 40)}...\" is not a value of Level (at byte 0).");
    }

    [Fact]
    public void Data_after_the_value_is_an_error()
    {
        FluentActions.Invoking(() => ContractRuns.Read<Point>([.. ContractRuns.Write(new Point(1, 2)), 0])).Should().Throw<CoapPayloadException>();
    }
}
