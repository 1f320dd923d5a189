namespace CoAP.Formats.Tests;

public sealed class MessagePackHostileTests
{
    private const int Seed = 65_100;

    // An error costs about 2 KiB at each level, of which there are 8 here.
    private const int FixedBytes = 64 << 10;

    private static readonly MessagePackFormat Format = new(PackedShapes.GeneratedTypeShapeProvider, new PayloadLimits { MaxDepth = 8 });

    [Fact]
    public void Random_bytes_break_no_type() => HostileInputs.Run(Documents(), static input =>
    {
        switch (input.Length > 0 ? input[^1] % 9 : 0)
        {
            case 0: Format.Read<int[]>(input); break;
            case 1: Format.Read<List<string>>(input); break;
            case 2: Format.Read<DateTimeOffset>(input); break;
            case 3: Format.Read<double>(input); break;
            case 4: Format.Read<PackedNode>(input); break;
            case 5: Format.Read<Dictionary<string, int>>(input); break;
            case 6: Format.Read<List<PackedReading>>(input); break;
            case 7: Format.Read<PackedPicky>(input); break;
            default: Format.Read<PackedReading>(input); break;
        }
    }, Seed, HostileInputs.Count / 4, FixedBytes);

    [Fact]
    public void Random_bytes_break_no_item_streams() => HostileInputs.Run(
        Documents(), static input => _ = Format.ReadItems<PackedReading>(new Pieces(input, 16)).Count(), Seed + 1, HostileInputs.Count / 10, FixedBytes);

    [Fact]
    public void A_document_that_ends_too_early_is_refused_at_every_byte()
    {
        foreach (var document in Documents())
        {
            for (var length = 0; length < document.Length; length++)
            {
                var start = document.AsMemory(0, length);
                FluentActions.Invoking(() => Format.Read<List<PackedReading>>(start)).Should().Throw<CoapPayloadException>();
            }
        }
    }

    private static List<byte[]> Documents() =>
    [
        MessagePackFormatTests.Written(new List<PackedReading> { new("a", 0.5, 7) { History = [1, -1, 70_000] }, new("水", -1e300) }),
        MessagePackFormatTests.Written(new PackedReading("a", 0.5, 7) { History = [1, -1, 70_000] }),
        MessagePackFormatTests.Written(new PackedNode { Value = -200, Next = new PackedNode { Next = new PackedNode() } }),
        MessagePackFormatTests.Written(new List<string> { "", "a", new string('x', 300) }),
        MessagePackFormatTests.Written(new Dictionary<string, int> { ["a"] = 1, ["b"] = -1 }),
        MessagePackFormatTests.Written(DateTimeOffset.MaxValue),
        MessagePackFormatTests.Written(new PackedPicky(1)),
    ];
}
