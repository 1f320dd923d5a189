using CoAP.Hosting.Generation;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>The code that the generator writes, and when it writes it again.</summary>
public sealed class HandlerGeneratorTests
{
    private static readonly string Source = GeneratorRun.Method("""map.MapCoapGet("/{id}", async (int id, int limit = 10) => { await Task.Yield(); return id; });""");

    [Fact]
    public void The_code_reads_the_arguments_calls_the_handler_and_makes_a_response()
    {
        var code = GeneratorRun.Generate(GeneratorRun.Method("""map.MapCoapGet("/{id}", (int id) => id);"""));

        code[code.IndexOf("        internal static", StringComparison.Ordinal)..].Should().Be("""
                    internal static global::CoAP.Resource Map0(this global::CoAP.ResourceMap target, string template, global::System.Delegate handler)
                    {
                        var invoke = (global::System.Func<int, int>)handler;
                        var resource = global::CoAP.Hosting.Binding.HandlerBinding.At(target, template);
                        var p0Source = new global::CoAP.Hosting.Binding.RequestArgument<int>(resource, "id", global::CoAP.Hosting.Binding.ArgumentSource.RouteOrQuery, "int", global::CoAP.Hosting.Binding.ArgumentParsers.Parsable<int>);
                        global::CoAP.RequestDelegate run = (request, cancellationToken) =>
                        {
                            if (!p0Source.TryRead(request, out var p0, out var p0Failure)) { return new global::System.Threading.Tasks.ValueTask<global::CoAP.CoapResponse>(p0Failure); }
                            return new global::System.Threading.Tasks.ValueTask<global::CoAP.CoapResponse>(global::CoAP.Hosting.Binding.HandlerResult.Of(global::CoAP.ResponseCode.Content, invoke(p0)));
                        };
                        return resource.On(global::CoAP.RequestCode.Get, run, global::CoAP.HandlerMode.Learned);
                    }
                }
            }

            """);
    }

    [Theory]
    [InlineData("Post", "string? (int id) => null", true)]
    [InlineData("Delete", "Task<int?> (int id) => Task.FromResult<int?>(null)", true)]
    [InlineData("Get", "string? (int id) => null", false)]
    [InlineData("Put", "void (int id) => { }", false)]
    [InlineData("Put", "CoapResponse (int id) => Response.Changed", false)]
    public void The_code_asks_for_the_accepted_format_before_a_handler_changes_something(string method, string handler, bool asks) =>
        GeneratorRun.Generate(GeneratorRun.Method($$"""map.MapCoap{{method}}("/{id}", {{handler}});"""))
            .Contains("HandlerResult.IsAcceptable<", StringComparison.Ordinal).Should().Be(asks);

    [Fact]
    public void The_same_source_gives_the_same_code() => GeneratorRun.Generate(Source).Should().Be(GeneratorRun.Generate(Source));

    [Fact]
    public void A_project_without_typed_handlers_gets_no_code() =>
        GeneratorRun.Driver().RunGenerators(GeneratorRun.Compile("internal static class Empty;")).GetRunResult().GeneratedTrees.Should().BeEmpty();

    [Fact]
    public void A_change_in_another_file_generates_nothing_again()
    {
        var before = GeneratorRun.Compile(Source, "internal static class Other;");
        var after = before.ReplaceSyntaxTree(before.SyntaxTrees[1], GeneratorRun.Parse("internal static class Changed { internal static int X; }", 1));
        var driver = GeneratorRun.Driver().RunGenerators(before);

        var result = driver.RunGenerators(after).GetRunResult().Results.Single();

        result.TrackedSteps[HandlerGenerator.CallsStep].SelectMany(step => step.Outputs).Should()
            .OnlyContain(output => output.Reason == IncrementalStepRunReason.Unchanged || output.Reason == IncrementalStepRunReason.Cached);
        result.TrackedOutputSteps.SelectMany(step => step.Value).SelectMany(step => step.Outputs).Should()
            .OnlyContain(output => output.Reason == IncrementalStepRunReason.Cached);
    }
}
