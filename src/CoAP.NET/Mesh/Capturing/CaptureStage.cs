namespace CoAP.Mesh;

/// <summary>Copies every frame to a capture and passes it on.</summary>
/// <param name="capture">The capture.</param>
/// <param name="isSent">Whether the frames are sent; otherwise they are received.</param>
/// <param name="isReliable">Whether the lane serves connections.</param>
/// <param name="isClient">Whether the endpoint is a client.</param>
/// <param name="time">The clock of the endpoint.</param>
internal sealed class CaptureStage(PcapngCapture capture, bool isSent, bool isReliable, bool isClient, TimeProvider time) : InlineStage<Frame, Frame>
{
    protected override void Process(in Frame item)
    {
        capture.Add(item, isSent, isReliable, isClient, time.GetUtcNow());
        Out.Emit(item);
    }
}
