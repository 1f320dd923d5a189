using CoAP.Formats.Tests.Generated;
using CoAP.TestSupport;
using Google.Protobuf;

namespace CoAP.Formats.Tests;

public sealed class ProtobufLimitsTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(10)]
    [InlineData(64)]
    [InlineData(150)]
    public void The_depth_is_limited(int depth)
    {
        IPayloadFormat format = new ProtobufFormat<Reading>(Reading.Parser, new PayloadLimits { MaxDepth = depth });
        var read = () => format.Read<Reading>(Nested(depth + 1).ToByteArray());

        format.Read<Reading>(Nested(depth).ToByteArray()).Should().Be(Nested(depth));
        read.Should().Throw<CoapPayloadException>()
            .WithMessage($"The message has more than {depth} levels; at most {depth} are allowed (at byte *).");
    }

    [Fact]
    public void The_size_is_limited()
    {
        IPayloadFormat format = new ProtobufFormat<Test2>(Test2.Parser, new PayloadLimits { MaxSize = 10 });
        var read = () => format.Read<Test2>(new Test2 { B = "123456789" }.ToByteArray());

        format.Read<Test2>(new Test2 { B = "12345678" }.ToByteArray()).B.Should().HaveLength(8);
        read.Should().Throw<CoapPayloadException>().WithMessage("The payload has 11 bytes; at most 10 are allowed (at byte 0).");
    }

    [Fact]
    public void The_length_of_strings_is_limited_also_inside_of_messages()
    {
        IPayloadFormat format = new ProtobufFormat<Reading>(Reading.Parser, new PayloadLimits { MaxLength = 8 });
        var message = new Reading { Children = { new Reading { Name = "12345678", Children = { new Reading { Name = "123456789" } } } } };
        var read = () => format.Read<Reading>(message.ToByteArray());

        read.Should().Throw<CoapPayloadException>().WithMessage("Field name has 9 bytes; at most 8 are allowed (at byte 16).");
        message.Children[0].Children[0].Name = "12345678";
        format.Read<Reading>(message.ToByteArray()).Should().Be(message);
    }

    [Fact]
    public void The_number_of_items_is_limited_packed_or_not()
    {
        IPayloadFormat format = new ProtobufFormat<Reading>(Reading.Parser, new PayloadLimits { MaxCount = 3 });
        Reading[] fitting = [new() { History = { 1, 2, 300 } }, new() { Tags = { "", "", "" } }, new() { Counts = { ["a"] = 1, ["b"] = 2 } }];
        Reading[] larger = [new() { History = { 1, 2, 3, 4 } }, new() { Tags = { "", "", "", "" } },
            new() { Counts = { ["a"] = 1, ["b"] = 2, ["c"] = 3, ["d"] = 4 } }];

        foreach (var message in fitting) { format.Read<Reading>(message.ToByteArray()).Should().Be(message); }
        foreach (var message in larger)
        {
            var read = () => format.Read<Reading>(message.ToByteArray());
            read.Should().Throw<CoapPayloadException>().WithMessage("Field * has more than 3 items; at most 3 are allowed*");
        }
    }

    [Fact]
    public void A_map_with_integer_keys_is_bounded_because_its_hash_codes_can_be_foreseen()
    {
        IPayloadFormat format = new ProtobufFormat<Reading>(Reading.Parser, new PayloadLimits { MaxForeseeableKeys = 3 });
        var message = new Reading { Counts = { ["a"] = 1, ["b"] = 2, ["c"] = 3, ["d"] = 4 }, Levels = { [1] = 1, [2] = 2, [3] = 3 } };
        var read = () => format.Read<Reading>(message.ToByteArray());

        read().Should().Be(message);
        message.Levels[4] = 4;
        read.Should().Throw<CoapPayloadException>().WithMessage("Field levels has more than 3 items; at most 3 are allowed*");
    }

    [Fact]
    public void Repeated_numbers_cost_a_small_multiple_of_the_payload()
    {
        IPayloadFormat format = new ProtobufFormat<Reading>(Reading.Parser);
        var message = new Reading();
        message.History.AddRange(Enumerable.Repeat(1L, 1_000_000));
        var bytes = message.ToByteArray();

        var allocated = Allocations.Of(() => message = format.Read<Reading>(bytes));

        message.History.Should().HaveCount(1_000_000);
        allocated.Should().BeLessThan(40L * bytes.Length);
    }

    private static Reading Nested(int depth)
    {
        var message = new Reading();
        for (; depth > 0; depth--) { message = new Reading { Children = { message } }; }
        return message;
    }
}
