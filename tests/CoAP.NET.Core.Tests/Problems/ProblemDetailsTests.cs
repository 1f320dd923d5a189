using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Problems;

public sealed class ProblemDetailsTests
{
    // RFC 9290, section 3.2, the example with an unsigned key, encoded by hand.
    private static readonly byte[] Example = Hex.Bytes("""
        a5                                          # map(5)
        20                                          # -1
          72 7469746c65206f6620746865206572726f72   # "title of the error"
        21                                          # -2
          78 24 64657461696c656420696e666f726d6174696f6e2061626f757420746865206572726f72
        22                                          # -3
          78 1b 636f6170733a2f2f70642e6578616d706c652f4641333137343334
        23                                          # -4
          18 80                                     # 128
        19 1267                                     # 4711
          a2                                        # map(2)
          00 61 63                                  # 0: "c"
          01 82 82 61 61 61 62 81 61 64             # 1: [["a", "b"], ["d"]]
        """);

    [Fact, Trait("RFC", "9290 2"), Trait("RFC", "9290 3.2")]
    public void Reads_the_example_of_the_rfc()
    {
        ProblemDetails.TryRead(Example, out var problem).Should().BeTrue();

        problem!.Title.Should().Be(new ProblemText("title of the error"));
        problem.Detail!.Text.Should().Be("detailed information about the error");
        problem.Instance.Should().Be("coaps://pd.example/FA317434");
        problem.ResponseCode.Should().Be(ResponseCode.BadRequest);
        problem.Entries.Should().Equal(new ProblemEntry(4711, Hex.Bytes("a2006163018282616161628161 64")));
        problem.ToString().Should().Be("title of the error: detailed information about the error");
    }

    [Fact, Trait("RFC", "9290 2")]
    public void Writes_the_example_of_the_rfc()
    {
        var problem = new ProblemDetails
        {
            Title = "title of the error",
            Detail = "detailed information about the error",
            Instance = "coaps://pd.example/FA317434",
            ResponseCode = ResponseCode.BadRequest,
            Entries = [new ProblemEntry(4711, Hex.Bytes("a2 00 61 63 01 82 82 61 61 61 62 81 61 64"))],
        };

        Hex.Text(problem.ToBytes()).Should().Be(Hex.Text(Example));
    }

    // RFC 9290, appendix A.3: each as the title, -1, of a map with one entry.
    [Theory, Trait("RFC", "9290 A.3")]
    [InlineData("d8 26 82 62 656e 65 48656c6c6f", "Hello", "en", null)]
    [InlineData("d8 26 82 62 6672 67 426f6e6a6f7572", "Bonjour", "fr", null)]
    [InlineData("d8 26 83 62 6865 68 d7a9d79cd795d79d f5", "שלום", "he", TextDirection.RightToLeft)]
    [InlineData("d8 26 83 62 656e 61 61 f4", "a", "en", TextDirection.LeftToRight)]
    [InlineData("d8 26 83 62 656e 61 61 f6", "a", "en", TextDirection.Auto)]
    public void Reads_and_writes_texts_with_a_language(string hex, string text, string language, TextDirection? direction)
    {
        var bytes = Hex.Bytes("a1 20" + hex);

        ProblemDetails.TryRead(bytes, out var problem).Should().BeTrue();

        problem!.Title.Should().Be(new ProblemText(text, language, direction));
        problem.ToBytes().Should().Equal(bytes);
    }

    [Theory, Trait("RFC", "9290 3.1.1")]
    [InlineData("a1 27 19 012d", 301u)]
    [InlineData("a1 27 82 01 17", 1u, 23u)]
    [InlineData("a1 27 9f 01 17 ff", 1u, 23u)]
    public void Reads_unprocessed_options(string hex, params uint[] numbers)
    {
        ProblemDetails.TryRead(Hex.Bytes(hex), out var problem).Should().BeTrue();

        problem!.UnprocessedOptions.Should().Equal(numbers);
    }

    [Theory, Trait("RFC", "9290 2")]
    [InlineData("bf 20 61 61 ff", "61")]
    [InlineData("a1 20 7f 61 61 61 62 ff", "6162")]
    [InlineData("a1 20 79 0001 61", "61")]
    public void Reads_indefinite_and_longer_forms(string hex, string title)
    {
        ProblemDetails.TryRead(Hex.Bytes(hex), out var problem).Should().BeTrue();

        Hex.Text(Encoding.UTF8.GetBytes(problem!.Title!.Text)).Should().Be(title);
    }

    [Fact, Trait("RFC", "9290 3")]
    public void Unknown_entries_are_ignored_and_kept()
    {
        var bytes = Hex.Bytes("a3 28 83 01 02 c1 03 20 61 61 6b 7461673a612e6578616d70 a1 00 f6");

        ProblemDetails.TryRead(bytes, out var problem).Should().BeTrue();

        problem!.Title!.Text.Should().Be("a");
        problem.Entries.Should().HaveCount(2);
        problem.Entries[0].Number.Should().Be(-9);
        Hex.Text(problem.Entries[0].Value.Span).Should().Be("830102c103");
        problem.Entries[1].Uri.Should().Be("tag:a.examp");
        ProblemDetails.TryRead(problem.ToBytes(), out var again).Should().BeTrue();
        again.Should().Be(problem);
    }

    [Fact]
    public void Empty_problem_details_and_duplicate_keys_cannot_be_written()
    {
        var entry = new ProblemEntry(1, Hex.Bytes("a1 00 00"));
        var twice = new ProblemDetails { Entries = [entry, entry] };

        twice.Invoking(one => one.ToBytes()).Should().Throw<InvalidOperationException>();
        new ProblemDetails().Invoking(one => one.ToBytes()).Should().Throw<InvalidOperationException>();
    }

    [Theory]
    [InlineData(-1, "61 61"), InlineData(-8, "00"), InlineData(1, "00"), InlineData(1, "a0"), InlineData(-9, "00 00"), InlineData(-9, "61"), InlineData(-9, "")]
    public void Invalid_entries_are_refused(long key, string hex)
    {
        Action act = () => _ = new ProblemEntry(key, Hex.Bytes(hex));

        act.Should().Throw<ArgumentException>();
    }

    [Theory]
    [InlineData(""), InlineData("e"), InlineData("en_US"), InlineData("-"), InlineData("en-"), InlineData("1n"), InlineData("abcdefghi")]
    public void Language_tags_have_a_form(string tag)
    {
        Action act = () => _ = new ProblemText("a", tag);

        if (tag == "e") { act.Should().NotThrow("one letter is well-formed by the rule of RFC 9290, appendix A"); }
        else { act.Should().Throw<ArgumentException>(); }
    }
}
