namespace CoAP.Formats.Tests;

public sealed class MessagePackLimitTests
{
    private static readonly PayloadLimits Limits = new() { MaxDepth = 3, MaxLength = 4, MaxCount = 2, MaxSize = 20 };

    private static readonly MessagePackFormat Limited = new(PackedShapes.GeneratedTypeShapeProvider, Limits);

    [Fact]
    public void Depth_is_limited()
    {
        Limited.Read<int[][][][]>(Convert.FromHexString("919190")).Should().HaveCount(1);
        Refuse(() => Limited.Read<int[][][][]>(Convert.FromHexString("91919190")), "4 arrays and maps are inside one another; at most 3 are allowed (at byte 3).");
        Refuse(() => Limited.Read<PackedNode>(Convert.FromHexString("81a17891919190")), "4 arrays and maps *at most 3 are allowed (at byte 5).");
    }

    [Theory, InlineData(1, 1), InlineData(8, 8), InlineData(32, 32), InlineData(64, 32), InlineData(1000, 32)]
    public void A_value_has_at_most_as_many_levels_as_allowed_and_never_more_than_32(int limit, int depth)
    {
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, new PayloadLimits { MaxDepth = limit });

        format.Read<PackedNode>(Nested(depth)).Should().NotBeNull();
        Refuse(() => format.Read<PackedNode>(Nested(depth + 1)), $"{depth + 1} arrays and maps *at most {depth} are allowed*");
        Refuse(() => format.Read<PackedNode>(Nested(100_000)), $"{depth + 1} arrays and maps *at most {depth} are allowed*");
    }

    [Fact]
    public void Tables_have_hash_codes_that_a_peer_cannot_foresee()
    {
        Limited.Read<HashSet<long>>(Convert.FromHexString("9101")).Comparer.GetHashCode(1).Should().NotBe(1);
        Limited.Read<Dictionary<long, int>>(Convert.FromHexString("810102")).Comparer.GetHashCode(1).Should().NotBe(1);
    }

    // Each level that an error leaves takes stack: a payload must not be able to end the process.
    [Fact]
    public void An_error_at_the_greatest_depth_needs_less_stack_than_the_smallest_that_threads_have_by_default()
    {
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, new PayloadLimits { MaxDepth = 1000 });
        byte[] wrong = [.. Enumerable.Range(0, 32).SelectMany(static _ => (byte[])[0x81, 0xa4, .. "Next"u8]), 0x05];
        var ring = new PackedNode();
        ring.Next = ring;
        Exception? first = null, second = null;
        var thread = new Thread(() =>
        {
            first = Record.Exception(() => format.Read<PackedNode>(wrong));
            second = Record.Exception(() => format.Write(new System.Buffers.ArrayBufferWriter<byte>(), ring));
        }, maxStackSize: 1 << 20);

        thread.Start();
        thread.Join();

        first.Should().BeOfType<CoapPayloadException>();
        second.Should().BeOfType<ArgumentException>();
    }

    [Theory]
    [InlineData("92a0a461626364", "92a0a56162636465", "A text or byte string has 5 bytes; at most 4 are allowed (at byte 2).")]
    [InlineData("91d90461626364", "91d9056162636465", "A text or byte string has 5 bytes; at most 4 are allowed (at byte 1).")]
    [InlineData("92a0a0", "93a0a0a0", "An array or map has 3 items; at most 2 are allowed (at byte 0).")]
    [InlineData("92a0a0", "ddffffffff", "An array or map has 4294967295 items; at most 2 are allowed (at byte 0).")]
    [InlineData("92a0a0", "91dbffffffff", "A text or byte string has 4294967295 bytes; at most 4 are allowed (at byte 1).")]
    public void A_list_at_a_limit_is_read_and_one_above_is_refused(string atLimit, string above, string message)
    {
        Limited.Read<List<string>>(Convert.FromHexString(atLimit)).Should().NotBeEmpty();
        Refuse(() => Limited.Read<List<string>>(Convert.FromHexString(above)), message);
    }

    [Theory]
    [InlineData("83a16101a16202a16303", "An array or map has 3 items; at most 2 are allowed (at byte 0).")]
    [InlineData("81a56162636465c0", "A text or byte string has 5 bytes; at most 4 are allowed (at byte 1).")]
    [InlineData("81a178c7050100000000", "A text or byte string has 5 bytes; at most 4 are allowed (at byte 3).")]
    public void Maps_keys_and_extensions_are_limited_too(string hex, string message) =>
        Refuse(() => Limited.Read<Dictionary<string, int>>(Convert.FromHexString(hex)), message);

    [Fact]
    public void A_payload_at_the_limit_of_size_is_read_and_one_above_is_refused()
    {
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, new PayloadLimits { MaxSize = 20 });

        format.Read<int[]>((byte[])[0xdc, 0, 17, .. new byte[17]]).Should().HaveCount(17);
        Refuse(() => format.Read<int[]>(new byte[21]), "The payload has 21 bytes; at most 20 are allowed (at byte 0).");
    }

    [Theory]
    [InlineData("ddffffffff"), InlineData("dd7fffffff00"), InlineData("dd00ffffff00")]
    [InlineData("dbffffffff00"), InlineData("db7fffffff00"), InlineData("c67fffffff00"), InlineData("df7fffffff00"), InlineData("dfffffffff")]
    [InlineData("91dd7fffffff00"), InlineData("91db7fffffff00"), InlineData("81a161db7fffffff00"), InlineData("81a168dd7fffffff00")]
    public void Huge_counts_and_lengths_cost_nothing_without_limits_too(string hex)
    {
        var limits = new PayloadLimits { MaxCount = int.MaxValue, MaxLength = int.MaxValue, MaxSize = int.MaxValue };
        var format = new MessagePackFormat(PackedShapes.GeneratedTypeShapeProvider, limits);
        var bytes = Convert.FromHexString(hex);
        Action[] reads =
        [
            () => format.Read<int[]>(bytes), () => format.Read<List<string>>(bytes), () => format.Read<byte[]>(bytes),
            () => format.Read<Dictionary<string, int>>(bytes), () => format.Read<List<PackedReading>>(bytes), () => format.Read<PackedReading>(bytes),
        ];
        foreach (var read in reads) { Refusals.Of(read).Bytes.Should().BeLessThan(100_000); }
    }

    // A node inside of a node, and so on.
    private static byte[] Nested(int depth) => [.. Enumerable.Range(1, depth - 1).SelectMany(static _ => (byte[])[0x81, 0xa4, .. "Next"u8]), 0x80];

    private static void Refuse(Action read, string message) => read.Should().Throw<CoapPayloadException>().WithMessage(message);
}
