using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests.Trimming;

/// <summary>
/// The library needs no reflection: trimmed programs do the same as others, and the trimmer has nothing to warn of in our code.
/// </summary>
[Trait("Category", "Interop")]
public sealed class TrimmedPublishTests
{
    private const string Listening = "Listening on coap://127.0.0.1:";

    [Fact]
    public async Task A_client_and_a_server_exchange_a_value_in_each_format()
    {
        var lines = await ExchangedValues.RunAsync();

        lines.Select(static line => line.Split(':')[0]).Should().Equal("JSON", "CBOR", "MessagePack", "SenML JSON", "SenML CBOR", "Protobuf");
        lines.Should().OnlyContain(static line => line.Contains("10e2073a01080063", StringComparison.Ordinal)
            || line.Contains("2026-03-14", StringComparison.Ordinal));
    }

    [SkippableFact]
    public async Task A_trimmed_program_exchanges_the_same_values_and_the_trimmer_warns_of_nothing_in_our_code()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        using var project = TrimmedProject.OfFormats();
        await PublishAsync(project);
        var run = await project.RunPublishedAsync();

        run.Output.Should().Equal(await ExchangedValues.RunAsync(), "{0}", run);
    }

    [SkippableFact]
    public async Task A_trimmed_hosted_server_binds_typed_handlers_reads_its_configuration_and_stops()
    {
        Needed.Need(OperatingSystem.IsLinux(), "the programs are run by a Linux command");
        using var project = TrimmedProject.OfHostedServer();
        await PublishAsync(project);
        await using var program = project.StartPublished("--Coap:Endpoints=coap://127.0.0.1:0", "--Coap:ShutdownTimeout=1s");
        var listening = await program.LineAsync(static line => line.Contains(Listening, StringComparison.Ordinal));
        var sensor = listening[listening.IndexOf("coap:", StringComparison.Ordinal)..].TrimEnd('.') + "/sensors/7";

        await using var client = new CoapClient();
        (await client.GetAsync(sensor)).Code.Should().Be(ResponseCode.NotFound);
        (await client.PutAsync(sensor, """{"Celsius":22.5}"""u8.ToArray(), ContentFormats.Json)).Code.Should().Be(ResponseCode.Changed);
        (await client.GetAsync(sensor)).PayloadText.Should().Be("""{"Celsius":22.5}""");
        (await program.EndAsync(RunningProgram.Terminate)).ExitCode.Should().Be(0);
    }

    private static async Task PublishAsync(TrimmedProject project)
    {
        var restore = await project.RestoreAsync();
        Needed.Need(restore.ExitCode == 0, $"NuGet does not provide the runtime and the trimmer: {restore}");
        var publish = await project.PublishAsync();
        publish.ExitCode.Should().Be(0, "{0}", publish);
        publish.Output.Where(IsWarning).Should().BeEmpty();
    }

    // Messages of Google.Protobuf can write themselves as JSON, with the names of enums by reflection. Our format does not call it.
    private static bool IsWarning(string line) =>
        line.Contains("warning", StringComparison.Ordinal) && !line.Contains("IL2067: Google.Protobuf.JsonFormatter.", StringComparison.Ordinal);
}
