namespace CoAP.Interop.Tests.UserPackages;

/// <summary>
/// A toy of an authorizer, as a package of its own would write it: it answers requests without a key with 4.01 and those with another key with 4.03
/// before any handler sees them.
/// </summary>
internal sealed class ToyAuthorizer(string key) : InlineStage<IncomingRequest, IncomingRequest>
{
    private static readonly CoapResponse Unauthorized = Response.Error(ResponseCode.Unauthorized, "A key is required.");
    private static readonly CoapResponse Forbidden = new(ResponseCode.Forbidden);

    private readonly Output<Answer> _refusals = new();

    /// <summary>The authorizer at an arrow of requests.</summary>
    public static MeshLink At(MeshArrow<IncomingRequest> arrow, string key) => MeshLink.Stages(lane =>
    {
        var authorizer = new ToyAuthorizer(key);
        lane.Insert(arrow, authorizer);
        lane.AddSource(MeshArrow.SizedAnswers, authorizer._refusals);
    });

    protected override void Process(in IncomingRequest item)
    {
        var sent = item.Query("key");
        if (sent == key) { Out.Emit(item); }
        else { _refusals.Emit(new Answer(item, sent is null ? Unauthorized : Forbidden)); }
    }

    protected override void OnCompleted()
    {
        base.OnCompleted();
        _refusals.Complete();
    }
}
