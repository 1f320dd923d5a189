using CoAP.Formats.Generation;
using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Tests;

public sealed class ContractGeneratorTests
{
    private const string Types = """
        namespace Shop
        {
            /// <summary>Documented.</summary>
            public sealed record Order(string Id, decimal Price, List<Line>? Lines = null, Kind Kind = Kind.Large,
                double Rate = double.NaN, char Mark = '\'')
            {
                /// <summary>Documented.</summary>
                public required int? Count { get; init; }
                /// <summary>Documented.</summary>
                [Obsolete] public string Note { get; set; } = "";
            }
            /// <summary>Documented.</summary>
            public struct Line { /// <summary>Documented.</summary>
                public int Number { get; set; } /// <summary>Documented.</summary>
                public Order? Order { get; set; } }
            /// <summary>Documented.</summary>
            public enum Kind : ulong { /// <summary>Documented.</summary>
                Small, /// <summary>Documented.</summary>
                Large = 18446744073709551615 }
            /// <summary>Documented.</summary>
            [PayloadContract(typeof(Order))] [PayloadContract(typeof(Dictionary<string, Order?>))] [PayloadContract(typeof(List<string?>))]
            public sealed partial class Contracts : PayloadContracts { }
        }
        """;

    [Fact]
    public void Generated_code_compiles_without_warnings() => GeneratorRun.Diagnose(Types).Should().BeEmpty();

    [Fact]
    public void Contracts_may_be_nested_and_without_a_namespace() => GeneratorRun.Diagnose("""
        internal partial record struct Outer
        {
            internal partial interface Inner
            {
                [PayloadContract(typeof(Item))] internal sealed partial class Contracts : PayloadContracts { }
                internal record Item(int A);
            }
        }
        """).Should().BeEmpty();

    [Fact]
    public void Several_parts_and_equal_names_are_no_problem() => GeneratorRun.Diagnose("""
        namespace A { internal record Item(int X, B.Item Other); }
        namespace B { internal record Item(int Y); }
        [PayloadContract(typeof(A.Item))] internal sealed partial class Contracts : PayloadContracts { }
        [PayloadContract(typeof(B.Item[]))] internal sealed partial class Contracts { }
        """).Should().BeEmpty();

    [Fact]
    public void Defaults_of_parameters_are_kept() => GeneratorRun.Diagnose("""
        internal enum Kind { A = -1 }
        internal record Item(float F = 1.5f, decimal D = 0.1m, string? S = "a\"\n", long L = long.MinValue, Kind? K = Kind.A, DateTime T = default,
            ulong U = ulong.MaxValue, byte B = 7, double X = double.NegativeInfinity, bool O = true, int? N = 5, float Y = float.NaN);
        [PayloadContract(typeof(Item))] internal sealed partial class Contracts : PayloadContracts { }
        """).Should().BeEmpty();

    [Fact]
    public void A_value_of_the_type_itself_needs_a_check_of_the_stack_only_if_it_is_recursive()
    {
        const string Check = "EnsureSufficientExecutionStack";

        GeneratorRun.Generate(Types).Should().Contain(Check).And.Contain("The Order has more levels than fit on the stack");
        GeneratorRun.Generate("internal record A(int X); [PayloadContract(typeof(A))] internal sealed partial class C : PayloadContracts { }")
            .Should().NotContain(Check);
    }

    [Fact]
    public void An_unrelated_edit_generates_nothing_again()
    {
        var compilation = GeneratorRun.Compile(Types);
        var driver = GeneratorRun.Driver().RunGenerators(compilation);
        var edited = compilation.AddSyntaxTrees(GeneratorRun.Parse("internal static class Other { }"));

        Reasons(driver.RunGenerators(edited)).Should().OnlyContain(
            reason => reason == IncrementalStepRunReason.Cached || reason == IncrementalStepRunReason.Unchanged);
    }

    [Fact]
    public void A_changed_type_is_generated_again()
    {
        var compilation = GeneratorRun.Compile(Types);
        var driver = GeneratorRun.Driver().RunGenerators(compilation);
        var edited = compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[0], GeneratorRun.Parse(Types.Replace("decimal Price", "double Price")));

        Reasons(driver.RunGenerators(edited)).Should().Contain(IncrementalStepRunReason.Modified);
    }

    [Fact]
    public void The_source_is_the_same_in_each_run() => GeneratorRun.Generate(Types).Should().Be(GeneratorRun.Generate(Types));

    private static IEnumerable<IncrementalStepRunReason> Reasons(GeneratorDriver driver)
    {
        var result = driver.GetRunResult().Results.Single();
        return result.TrackedSteps[ContractGenerator.SetsStep].Concat(result.TrackedOutputSteps.SelectMany(step => step.Value))
            .SelectMany(step => step.Outputs).Select(output => output.Reason);
    }
}
