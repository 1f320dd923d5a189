using Xunit.Abstractions;

namespace CoAP.Tests.Architecture;

/// <summary>The proportions of the sources: nothing that makes them hard to read becomes more.</summary>
public sealed class ProportionsTests(ITestOutputHelper output)
{
    private const string ApprovedFile = "tests/CoAP.NET.Tests/Architecture/Proportions.approved.txt";

    private const string TypeWithState =
        "public partial class A { internal int State { get; set; } public int Visible => 1; private readonly B? _b; }";

    private static readonly string[] Head =
    [
        "# The proportions of the sources. Each line: name | number | what it counts.",
        "# ProportionsTests fails if a number is larger than here. A smaller one passes, and the test prints it.",
        "# COAP_APPROVE=1 dotnet test tests/CoAP.NET.Tests --filter Proportions writes the numbers of today. Do that when you make one smaller.",
        "# A type without a line has its state in one file. Everything else without a line is 0.",
        "",
    ];

    // A smaller number passes, so that two changes that both make one smaller can be merged in any order.
    [Fact]
    public void No_number_has_grown()
    {
        var measured = Proportions.OfRepository();
        if (Approved.Rewrites) { Approved.Check(ApprovedFile, [.. Head, .. measured.Select(static figure => figure.Line)]); }
        var approved = Figure.Read(SourceTree.Lines(ApprovedFile));

        foreach (var text in Figure.Shrunk(approved, measured)) { output.WriteLine(text); }
        Figure.Grown(approved, measured).Should().BeEmpty($"{ApprovedFile} has the numbers that were reviewed");
    }

    [Theory]
    [InlineData(3, false)]
    [InlineData(2, false)]
    [InlineData(4, true)]
    public void Only_a_larger_number_than_the_approved_one_fails(int number, bool fails) =>
        Figure.Grown(Figure.Read(["# a comment", "", "things | 3 | x"]), [new("things", number, "x", ["a.cs"])]).Any().Should().Be(fails);

    [Fact]
    public void A_number_without_a_line_may_not_exceed_its_least()
    {
        Figure[] measured = [new("a", 1, "", []), new("b", 1, "", [], Least: 1), new("c", 2, "", [], Least: 1)];

        Figure.Grown(Figure.Read([]), measured).Select(static text => text[0]).Should().Equal('a', 'c');
    }

    [Fact]
    public void A_smaller_number_is_reported() =>
        Figure.Shrunk(Figure.Read(["a | 3 | x", "b | 3 | x", "c | 3 | x"]), [new("a", 2, "", []), new("b", 3, "", [])])
            .Should().Equal("a has shrunk from 3 to 2", "c has shrunk from 3 to 0");

    [Fact]
    public void A_method_over_40_lines_counts()
    {
        string[] bodies = [.. new[] { 38, 39 }.Select(static lines => "int Method()\n{\n" + new string('\n', lines - 1) + "}\n")];
        var sources = Parse(("a.cs", $"class A {{\n{bodies[0]}}}"), ("b.cs", $"class B {{\n{bodies[1]}}}"));

        Proportions.LongMethods([sources]).Places.Should().Equal("b.cs:2");
    }

    [Fact]
    public void A_list_of_more_than_8_parameters_counts()
    {
        static string List(int count) => string.Join(", ", Enumerable.Range(0, count).Select(static number => $"int p{number}"));
        var sources = Parse(("a.cs", $"class A({List(8)});"), ("b.cs", $"class B({List(9)});"));

        Proportions.LongLists([sources]).Places.Should().Equal("b.cs:1");
    }

    [Fact]
    public void A_line_over_140_columns_counts() =>
        Proportions.WideLines("src", [new string('x', 140), new string('x', 141)]).Number.Should().Be(1);

    [Fact]
    public void A_lookup_by_type_counts()
    {
        var sources = Parse(
            ("FeatureSet.cs", "class FeatureSet<T> { public U? Get<U>() => default; }"),
            ("a.cs", "class A { object? B(FeatureSet<object> all) => all.Get<string>(); }"),
            ("b.cs", "class B { object? C(B all) => all.Get<string>(); T? Get<T>() => default; }"));

        Proportions.LocatorCalls([sources]).Places.Should().Equal("a.cs:1");
    }

    [Fact]
    public void An_internal_interface_with_one_implementation_counts() =>
        Proportions.UpwardInterfaces([typeof(ILonely), typeof(ICommon), typeof(First), typeof(Second), typeof(Derived)])
            .Places.Should().Equal(nameof(ILonely));

    [Fact]
    public void Files_that_use_each_other_in_a_circle_count()
    {
        var sources = Parse(
            ("a.cs", "class A { B? _b; }"), ("b.cs", "class B { C? _c; }"), ("c.cs", "class C { A? _a; }"),
            ("d.cs", "class D { E? _e; }"), ("e.cs", "class E { D? _d; A? _a; }"));

        Proportions.FileCycles("src", new SymbolGraph(sources)).Select(static figure => figure.Number).Should().Equal(3, 5);
    }

    [Theory]
    [InlineData("partial class A { int _more; }")]
    [InlineData("static class B { internal static int More(this A a) => a.State; }")]
    [InlineData("static class B { extension(A a) { int More => a.State; } }")]
    [InlineData("class B(A a) { public int More => a.Visible; }")]
    [InlineData("class B { private readonly A? _a; }")]
    public void A_file_with_state_of_a_type_counts(string other)
    {
        var sources = Parse(("a.cs", TypeWithState), ("b.cs", other));

        Proportions.SpreadTypes("src", sources).Where(static figure => figure.Name == "files of src A")
            .Should().ContainSingle().Which.Places.Should().Equal("a.cs", "b.cs");
    }

    [Theory]
    [InlineData("static class B { public static int More(this A a) => a.Visible; }")]
    [InlineData("static class B { extension(A a) { public int More => a.Visible; } }")]
    [InlineData("class B { public int More(A a) => a.State; }")]
    [InlineData("class B { public readonly static A? A; }")]
    public void A_file_that_any_user_could_write_does_not_count(string other)
    {
        Proportions.SpreadTypes("src", Parse(("a.cs", TypeWithState), ("b.cs", other))).Should().BeEmpty();
    }

    private static SourceProject Parse(params (string File, string Text)[] sources) => SourceProject.Parse(sources);

    private interface ILonely;

    private interface ICommon;

    private sealed class First : ICommon;

    private class Second : ICommon, ILonely;

    private sealed class Derived : Second;
}
