using System.Diagnostics;

namespace CoAP.Options;

/// <summary>The lists of "tracestate", by the text of W3C Trace Context, level 1. The cases are those of its section 3.3.1 and its grammar.</summary>
public sealed class TraceStateTests
{
    private static readonly TraceParent Parent = TraceParent.Of(new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.None));

    public static TheoryData<string> Malformed { get; } =
    [
        "a",                                    // list-member = key "=" value
        "=1",
        "a=",                                   // value = 0*255(chr) nblk-chr
        "A=1",                                  // lcalpha
        "1a=1",                                 // a simple key begins with a letter
        "a b=1",
        "a=1=2",                                // chr without "="
        "a=\u007f",                             // nblk-chr ends at 0x7E
        "a=\t1",
        "a=1\r\nb=2",
        "a=1\0",
        "a=ü",
        "a=1;b=2,c",
        "a=1,a=2",                              // "Only one entry per key is allowed"
        "a@=1",
        "@a=1",
        "a@1=1",                                // system-id = lcalpha 0*13(...)
        "a@b@c=1",
        new string('k', 257) + "=1",
        new string('t', 242) + "@s=1",
        "t@" + new string('s', 15) + "=1",
        "a=" + new string('v', 257),
    ];

    public static TheoryData<string, string> WellFormed { get; } = new()
    {
        { "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE" },   // section 3.3.1.4, an example
        { "a=1 ,\tb=2", "a=1,b=2" },                                                               // OWS "," OWS
        { ",a=1,,b=2,", "a=1,b=2" },                                                                // "Empty list members are allowed"
        { "1t@s=1", "1t@s=1" },                                                                     // tenant-id may begin with a digit
        { "a_-*/9= !+-<>~", "a_-*/9= !+-<>~" },                                                     // all edges of the ranges
        { new string('k', 256) + "=1", new string('k', 256) + "=1" },
        { "a=" + new string('v', 256), "a=" + new string('v', 256) },
        { new string('t', 241) + "@" + new string('s', 14) + "=1", new string('t', 241) + "@" + new string('s', 14) + "=1" },
    };

    [Theory]
    [MemberData(nameof(Malformed))]
    public void A_malformed_list_is_neither_continued_nor_sent(string list)
    {
        Continued(list).Should().BeNull();
        TraceState.Of(list).Should().BeNull();
    }

    [Theory]
    [MemberData(nameof(WellFormed))]
    public void A_list_is_continued_and_sent_in_normal_form(string list, string normal)
    {
        Continued(list).Should().Be(normal);
        if (normal.Length <= 512) { TraceState.Of(list)!.Value.Should().Be(normal); }
    }

    [Fact]
    public void At_most_32_members_are_sent_and_continued()
    {
        var members = Enumerable.Range(0, 33).Select(static number => $"k{number}=v").ToArray();

        Continued(string.Join(',', members[..32])).Should().Be(string.Join(',', members[..32]));
        Continued(string.Join(',', members)).Should().BeNull("there can be a maximum of 32 list-members in a list");
        TraceState.Of(string.Join(',', members))!.Value.Should().Be(string.Join(',', members[..32]));
    }

    [Fact]
    public void A_list_that_is_too_long_loses_its_long_members_first_and_then_the_last_ones()
    {
        var kept = Enumerable.Range(0, 4).Select(static number => $"k{number}=" + new string('v', 80)).ToArray();
        var last = "last=" + new string('v', 123);

        var state = TraceState.Of(string.Join(',', [kept[0], "long=" + new string('v', 124), .. kept[1..], last]))!.Value;

        state.Should().Be(string.Join(',', [.. kept, last]), "the member with 129 characters goes before the last one, which has 128");
    }

    [Fact]
    public void A_list_is_at_most_512_characters_long_and_members_are_removed_as_a_whole()
    {
        var members = Enumerable.Range(0, 20).Select(static number => $"k{number:00}=" + new string('v', 27)).ToArray();

        TraceState.Of(string.Join(',', members))!.Value.Should().Be(string.Join(',', members[..16]), "16 members of 31 characters and 15 commas are 511");
    }

    private static string? Continued(string list) => Parent.TryGetContext(list, out var context) ? context.TraceState : throw new InvalidOperationException();
}
