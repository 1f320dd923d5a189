using CoAP;

namespace SampleServer;

/// <summary>A stage of the page "Put your own block into the mesh": it refuses requests without the right key.</summary>
internal sealed class KeyCheck(string key) : InlineStage<IncomingRequest, IncomingRequest>
{
    private Output<Answer> Refusals => field ??= Port<Answer>();

    public static MeshLink With(string key) => MeshLink.Stages(lane =>
    {
        var check = new KeyCheck(key);
        lane.Insert(MeshArrow.Requests, check);
        lane.AddSource(MeshArrow.SizedAnswers, check.Refusals);
    });

    protected override void Process(in IncomingRequest item)
    {
        if (item.Query("key") == key) { Out.Emit(item); }
        else { Refusals.Emit(new Answer(item, new CoapResponse(ResponseCode.Unauthorized))); }
    }
}
