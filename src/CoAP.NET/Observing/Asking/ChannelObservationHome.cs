namespace CoAP.Observing;

/// <summary>The home of an observation of one channel: it ends with the channel.</summary>
internal sealed class ChannelObservationHome(IObservableChannel channel, CoapRequest request) : ObservationHome
{
    public static CoapObservation Observe(IObservableChannel channel, CoapRequest request, CancellationToken cancellationToken)
    {
        var settings = channel.Lane.Settings;
        var environment = new ObservationEnvironment(settings.Observations, settings.TimeProvider, settings.LoggerFactory);
        return new CoapObservation(CoapObservation.Checked(request), new ChannelObservationHome(channel, request), environment, null, null, cancellationToken);
    }

    public override ValueTask StartAsync(ObservationLink link, CancellationToken cancellationToken)
    {
        Attach(channel.Bind(request, link));
        return ValueTask.CompletedTask;
    }

    public override void Start(ObservationLink link, CancellationToken cancellationToken)
    {
        channel.Lane.ThrowIfOwnedByCaller();
        Attach(channel.Bind(request, link));
    }

    public override void Retry(LaneObservation attachment) => attachment.Register();

    public override void Lost(LaneObservation attachment, Exception error) => GiveUp(attachment.Link, error);
}
