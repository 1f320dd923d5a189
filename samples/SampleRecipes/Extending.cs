using System.Threading.Tasks.Dataflow;
using CoAP;
using CoAP.Options;

namespace SampleRecipes;

/// <summary>The recipe of an endpoint with an own option, an own format and an own block.</summary>
internal static class Extending
{
    public static CoapServer Create(Func<IncomingRequest[], Task> store)
    {
        var batches = new BatchBlock<IncomingRequest>(100);
        batches.LinkTo(new ActionBlock<IncomingRequest[]>(store), new DataflowLinkOptions { PropagateCompletion = true });
        return new CoapServer(new CoapServerSettings
        {
            Options = OptionRegistry.Default.With(Site.Declaration),
            Formats = PayloadFormats.Of(new PercentFormat()),
            Links = [MeshLink.Tap(MeshArrow.Requests, batches)],
        });
    }
}
