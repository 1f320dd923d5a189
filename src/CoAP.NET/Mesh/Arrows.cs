using System.Threading.Tasks.Dataflow;
using CoAP.Blocks;
using CoAP.Lanes;

namespace CoAP.Mesh;

/// <summary>The kinds of arrows that <see cref="LaneWiring"/> and <see cref="StreamWiring"/> draw.</summary>
internal static class Arrows
{
    /// <summary>The arrow out of a stage, with the user's blocks on it.</summary>
    public static ISourceBlock<T> From<T>(ISourceBlock<T> source, MeshArrow<T> arrow, LaneContext lane)
    {
        foreach (var link in lane.Settings.Links)
        {
            if (link.StageFor(arrow, lane) is not { } stage) { continue; }
            source.LinkTo(stage, new DataflowLinkOptions { PropagateCompletion = true });
            source = stage;
        }
        return source;
    }

    /// <summary>Two arrows that become one.</summary>
    public static JunctionStage<T> Both<T>(ISourceBlock<T> first, ISourceBlock<T> second)
    {
        var junction = new JunctionStage<T>();
        first.LinkTo(junction);
        second.LinkTo(junction);
        return junction;
    }

    /// <summary>Several arrows that lead to one stage.</summary>
    public static void Into<T>(ITargetBlock<T> target, params ReadOnlySpan<ISourceBlock<T>> sources)
    {
        foreach (var source in sources) { source.LinkTo(target); }
    }
}
