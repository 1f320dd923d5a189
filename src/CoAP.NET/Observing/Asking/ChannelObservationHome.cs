using CoAP.Exchanges;

namespace CoAP.Observing;

/// <summary>The home of an observation of one channel: it ends with the channel.</summary>
internal sealed class ChannelObservationHome(ChannelHandle channel, CoapRequest request) : ObservationHome
{
    public static CoapObservation Observe(ChannelHandle channel, CoapRequest request, CancellationToken cancellationToken) => new(
        CoapObservation.Checked(request), new ChannelObservationHome(channel, request), channel.Lane.Features.Get<ObservationEnvironment>(), null, null,
        cancellationToken);

    public override ValueTask StartAsync(ObservationLink link, CancellationToken cancellationToken)
    {
        Attach(LaneObservation.Of(channel, request, link));
        return ValueTask.CompletedTask;
    }

    public override void Start(ObservationLink link, CancellationToken cancellationToken)
    {
        channel.Lane.ThrowIfOwnedByCaller();
        Attach(LaneObservation.Of(channel, request, link));
    }

    public override void Retry(LaneObservation attachment) => attachment.Register();

    public override void Lost(LaneObservation attachment, Exception error) => GiveUp(attachment.Link, error);
}
