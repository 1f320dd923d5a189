using CoAP.Measurements.Profiles;

namespace CoAP.Measurements.Tests;

public sealed class FoldedProfileTests
{
    private const string Stage = "instance void [CoAP.NET] CoAP.Handlers.DeduplicationStage::Process(valuetype CoAP.ReceivedMessage& modreq([System.Runtime]System.Runtime.InteropServices.InAttribute))[OptimizedTier1] (/tmp/perf-6822.map)";
    private const string Arrow = "instance void [CoAP.NET] CoAP.Blocks.Output`1[CoAP.OutgoingMessage]::Emit(!0&)[OptimizedTier1] (/tmp/perf-6822.map)";
    private const string Lane = "instance bool [CoAP.NET] CoAP.Mesh.Lane::Turn(class CoAP.Channels.LaneWork)[OptimizedTier1] (/tmp/perf-6822.map)";
    private const string Library = "instance void [System.Private.CoreLib] System.Collections.Generic.Dictionary`2[System.Int32,System.Int32]::Add(!0,!1)[OptimizedTier1] (/tmp/perf-6822.map)";

    [Fact]
    public void A_sample_in_the_kernel_belongs_to_the_system_call_it_came_by()
    {
        var share = ShareOf("CoAP lane", "udp_sendmsg ([kernel.kallsyms])", "__x64_sys_sendmmsg ([kernel.kallsyms])", "__sendmmsg (/usr/lib/libc.so.6)", Lane);

        share.Should().Be(new Share("kernel", "sending"));
    }

    [Fact]
    public void A_sample_in_a_stage_belongs_to_it_and_not_to_those_that_called_it()
    {
        ShareOf("CoAP lane", Stage, Arrow, Lane).Should().Be(new Share("message layer", "deduplication"));
        ShareOf("CoAP lane", Arrow, Stage, Lane).Should().Be(new Share("mesh", "arrows"));
        ShareOf("CoAP lane", Lane).Should().Be(new Share("mesh", "lanes"));
    }

    [Fact]
    public void What_the_class_library_does_belongs_to_whoever_of_ours_called_it()
    {
        ShareOf("CoAP lane", "[unknown] (/usr/share/dotnet/System.Private.CoreLib.dll)", Library, Stage, Lane).Should().Be(new Share("message layer", "deduplication"));
        ShareOf(".NET ThreadPool", Library).Should().Be(new Share("runtime", "other"));
    }

    [Theory]
    [InlineData(".NET Tiered Compilation Worker", "[unknown] (/usr/share/dotnet/libcoreclr.so)", "compiler")]
    [InlineData("CoAP lane", "[unknown] (/usr/share/dotnet/libcoreclr.so)", "allocation and collection")]
    [InlineData("CoAP lane", "__memset_avx512_unaligned_erms (/usr/lib/libc.so.6)", "allocation and collection")]
    [InlineData("CoAP lane", "__vdso_clock_gettime ([vdso])", "clock")]
    public void The_runtime_is_divided_by_what_it_does(string thread, string innermost, string detail)
    {
        ShareOf(thread, innermost, Stage).Should().Be(new Share("runtime", detail));
    }

    [Fact]
    public void Shares_are_percents_of_all_samples_and_the_largest_comes_first()
    {
        var script = Sample("CoAP lane", Stage) + Sample("CoAP lane", "udp_recvmsg ([kernel.kallsyms])") + Sample("CoAP lane", Arrow, Stage) + Sample("CoAP lane", Stage, Lane);

        var profile = FoldedProfile.Read(new StringReader(script));

        profile.Total.Should().Be(4);
        profile.Parts.Select(static part => (part.Part, part.Percent)).Should().Equal(("message layer", 50.0), ("kernel", 25.0), ("mesh", 25.0));
        profile.Parts.First().Details.Should().Equal(("deduplication", 50.0));
    }

    [Fact]
    public void Nothing_on_the_input_is_no_sample()
    {
        FoldedProfile.Read(new StringReader("")).Total.Should().Be(0);
        FoldedProfile.Read(new StringReader("\n\n")).Total.Should().Be(0);
    }

    private static Share ShareOf(string thread, params string[] frames)
    {
        var parsed = frames.Select(static frame => FrameName.Parse("\t    7f11c0de " + frame)).ToArray();
        parsed.Should().NotContainNulls();
        return RequestPath.Of(thread, [.. parsed.Select(static frame => frame!.Value)]);
    }

    private static string Sample(string thread, params string[] frames) => $"{thread} \n{string.Concat(frames.Select(static frame => $"\t 7f11 {frame}\n"))}\n";
}
