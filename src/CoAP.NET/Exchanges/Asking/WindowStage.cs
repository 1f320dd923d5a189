namespace CoAP.Exchanges;

/// <summary>Holds requests of this endpoint back until the limits of their channel allow them.</summary>
/// <remarks>
/// Each channel has its own limits, and emits the requests at <see cref="MeshArrow.AdmittedRequests"/>.
/// Over datagrams, <c>DatagramChannel</c> has NSTART, PROBING_RATE and the message IDs (RFC 7252, sections 4.4 and 4.7). On connections, <c>OutgoingRequests</c> has the limits of
/// the peer and the room in the output (RFC 8323).
/// </remarks>
internal sealed class WindowStage : InlineTarget<OutgoingRequest>
{
    private readonly TaskCompletionSource _completion = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public override Task Completion => _completion.Task;

    protected override void Process(in OutgoingRequest item) => item.Sender.Submit(item);

    protected override void OnCompleted() => _completion.TrySetResult();
}
