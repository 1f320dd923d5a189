using System.Diagnostics;
using System.Reflection;

namespace CoAP.Benchmarks.Tests;

public sealed class ConfigurationTests
{
    [Fact]
    public void The_library_is_optimized_if_the_benchmarks_are()
    {
        var isOptimized = IsOptimized(typeof(Suite).Assembly);

        Assembly[] measured = [typeof(CoapMessage).Assembly, typeof(CoapClient).Assembly, typeof(DtlsServerSettings).Assembly];
        measured.Should().OnlyContain(assembly => IsOptimized(assembly) == isOptimized);
    }

    private static bool IsOptimized(Assembly assembly) => assembly.GetCustomAttribute<DebuggableAttribute>() is not { IsJITOptimizerDisabled: true };
}
