using CoAP.Tests.Streams;

namespace CoAP.Tests.Mesh;

/// <summary>The end of a lane: completion runs down the links.</summary>
public sealed class MeshCompletionTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    public static TheoryData<string> All => [.. Arrows.All];

    public static TheoryData<string> OfDatagrams => [.. Arrows.All.Except(Arrows.OfSignals)];

    public static TheoryData<string> OfStreams => [.. Arrows.All.Except(Arrows.OfDatagrams)];

    [Fact]
    public async Task The_last_stage_completes_when_the_lane_ends()
    {
        using var cut = new ArrowScenario(nameof(MeshArrow.FramesIn));
        cut.Play();
        cut.End.Mesh.Completion.IsCompleted.Should().BeFalse();

        cut.End.Dispose();

        await cut.End.Mesh.Completion.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(All))]
    public async Task A_stage_at_any_arrow_does_not_hold_up_the_end(string arrow)
    {
        using var cut = new ArrowScenario(nameof(MeshArrow.FramesIn), Arrows.Link(arrow, new PassingStage()));
        cut.Play();

        cut.End.Dispose();

        await cut.End.Mesh.Completion.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(OfDatagrams))]
    public async Task A_stage_that_was_inserted_completes_with_a_lane_of_datagrams(string arrow)
    {
        var stage = new PassingStage();
        using var cut = new ArrowScenario(arrow, Arrows.Link(arrow, stage));
        cut.Play();
        stage.Completed.IsCompleted.Should().BeFalse();

        cut.End.Dispose();

        await stage.Completed.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(OfStreams))]
    public async Task A_stage_that_was_inserted_completes_with_a_lane_of_connections(string arrow)
    {
        var stage = new PassingStage();
        await using var host = new StreamHost(settings => settings with { Links = [Arrows.Link(arrow, stage)] });
        using var peer = await host.OpenAsync();
        stage.Completed.IsCompleted.Should().BeFalse();

        peer.Dispose();
        await host.Server.StopAsync();

        await stage.Completed.WaitAsync(Patience);
    }
}
