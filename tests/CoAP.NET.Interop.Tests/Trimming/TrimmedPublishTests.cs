using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Trimming;

/// <summary>
/// The formats need no reflection: a trimmed program exchanges the same values as an untrimmed one, and the trimmer has nothing to warn of in our code.
/// </summary>
[Trait("Category", "Interop")]
public sealed class TrimmedPublishTests
{
    [Fact]
    public async Task A_client_and_a_server_exchange_a_value_in_each_format()
    {
        var lines = await ExchangedValues.RunAsync();

        lines.Select(static line => line.Split(':')[0]).Should().Equal("JSON", "CBOR", "MessagePack", "XML", "SenML JSON", "SenML CBOR", "Protobuf");
        lines.Should().OnlyContain(static line => line.Contains("10e2073a01080063", StringComparison.Ordinal)
            || line.Contains("2026-03-14", StringComparison.Ordinal));
    }

    [SkippableFact]
    public async Task A_trimmed_program_exchanges_the_same_values_and_the_trimmer_warns_of_nothing_in_our_code()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        using var project = new TrimmedProject();
        var restore = await project.RestoreAsync();
        Needed.Need(restore.ExitCode == 0, $"NuGet does not provide the runtime and the trimmer: {restore}");

        var publish = await project.PublishAsync();
        publish.ExitCode.Should().Be(0, "{0}", publish);
        publish.Output.Where(IsWarning).Should().BeEmpty();
        var run = await project.RunPublishedAsync();

        run.Output.Should().Equal(await ExchangedValues.RunAsync(), "{0}", run);
    }

    // Messages of Google.Protobuf can write themselves as JSON, with the names of enums by reflection. Our format does not call it.
    private static bool IsWarning(string line) =>
        line.Contains("warning", StringComparison.Ordinal) && !line.Contains("IL2067: Google.Protobuf.JsonFormatter.", StringComparison.Ordinal);
}
